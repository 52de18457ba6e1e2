import type { Meanwhile } from "~/domain/song-wish/meanwhile";
import { MeanwhileOffers } from "~/routes/_index/meanwhile";

/** Shown below the heading if there are no songs for a viewer who has not rated any yet. */
export function NoSongs({ meanwhile }: { meanwhile: Meanwhile | null }) {
  return (
    <div className="standalone-message">
      <h2>No songs available to rate</h2>
      {meanwhile ? <MeanwhileOffers {...meanwhile} /> : null}
    </div>
  );
}
