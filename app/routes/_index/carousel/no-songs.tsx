import type { CarouselView } from "~/exchange/carousel/view";
import { EmptyPoolOffers } from "~/routes/_index/empty-pool/empty-pool-offers";

/** Replaces the songs when there are none, or none left. */
export function NoSongs({ state, emptyPool }: Pick<CarouselView, "state" | "emptyPool">) {
  if (state === "away") {
    return (
      <div className="standalone-message">
        <h2>Welcome back</h2>
        <p>{emptyPool?.obstacle}</p>
      </div>
    );
  }
  return (
    <div className="standalone-message">
      {state === "empty" ? (
        <h2>No songs available to rate</h2>
      ) : (
        <>
          <h2>No More Songs to Rate</h2>
          <p>Please come back later for more songs to rate.</p>
        </>
      )}
      {emptyPool ? <EmptyPoolOffers {...emptyPool} /> : null}
    </div>
  );
}
