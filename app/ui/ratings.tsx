import { ratingLabel } from "~/domain/rating/scale";
import type { Tier } from "~/domain/tiers/tiers";
import type { SongRatingsPanel } from "~/domain/views";
import { Cover } from "~/ui/cover";
import { utcDate } from "~/ui/date";
import { counted } from "~/ui/plural";
import { SongTitle } from "~/ui/song-title";
import { SpotifyCredit } from "~/ui/spotify-credit";
import { StarHeading } from "~/ui/star-heading";
import { SubscriptionModal } from "~/ui/subscription-modal";
import { UpgradeLink } from "~/ui/upgrade-link";

/** "Ratings of my songs", logged in (spec section 2, "My Ratings screen"). */
export function RatingsPage({
  panels,
  tier,
  loading,
}: {
  panels: SongRatingsPanel[];
  tier: Tier;
  /** The ratings are being read anew. */
  loading: boolean;
}) {
  return (
    <div className="prose ratings">
      <StarHeading>Ratings of my songs</StarHeading>
      <p className="lead">Every song you add receives 5 ratings.</p>
      <p className="quiet">
        Only you see the ratings of your songs. The rating 'Added to my playlist' exists since Oct
        10, 2025.
      </p>
      {loading ? <p className="quiet">Loading ratings...</p> : null}
      {panels.length === 0 ? (
        <p className="blank">No ratings yet. Add a song to get started!</p>
      ) : (
        <>
          {panels.map((panel) => (
            <SongRatings key={panel.songId} panel={panel} tier={tier} />
          ))}
          <SpotifyCredit />
          {tier === "free" ? <SubscriptionModal /> : null}
        </>
      )}
    </div>
  );
}

function SongRatings({ panel, tier }: { panel: SongRatingsPanel; tier: Tier }) {
  const { title, entitled, received, visible, hidden } = panel;
  return (
    <details className="panel">
      <summary>
        <h2>
          "<bdi>{title}</bdi>" - Entitled for {counted(entitled, "Rating")}
        </h2>
      </summary>
      <div className="song compact">
        <Cover track={panel} />
        <p>
          <SongTitle track={panel} />
        </p>
      </div>
      <p>{`It already received ${counted(received, "rating")}${received === 0 ? "." : ":"}`}</p>
      <ul className="lines">
        {visible.map(({ score, ratedAt }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id, and never change places
          <li key={index}>
            {ratingLabel(score)}
            <time dateTime={new Date(ratedAt).toISOString()}>{utcDate(ratedAt)}</time>
          </li>
        ))}
      </ul>
      {tier === "free" && hidden > 0 ? (
        <p className="lock">
          <strong>{`You have ${hidden} more ${hidden === 1 ? "rating" : "ratings"}`}</strong>
          <br />
          Only premium users can see all ratings
          <UpgradeLink />
        </p>
      ) : null}
    </details>
  );
}
