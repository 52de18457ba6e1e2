import type { Meanwhile } from "~/domain/song-wish/meanwhile";
import { MeanwhileOffers } from "~/routes/_index/meanwhile";

/** Shown below the heading once all songs have been rated (spec section 2, "Carousel screen"). */
export function NoMoreSongs({ meanwhile }: { meanwhile: Meanwhile | null }) {
  return (
    <div className="standalone-message">
      <h2>No More Songs to Rate</h2>
      <p>Please come back later for more songs to rate.</p>
      {meanwhile ? <MeanwhileOffers {...meanwhile} /> : null}
    </div>
  );
}
