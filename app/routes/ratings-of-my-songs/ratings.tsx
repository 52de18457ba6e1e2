import { Link } from "@remix-run/react";
import { EndedMails } from "~/components/form/ended-mails";
import { MailCheckbox } from "~/components/form/mail-checkbox";
import { usePost } from "~/components/form/use-post";
import { utcDate } from "~/components/format/date";
import { timeAgo, utcTime } from "~/components/format/relative-time";
import { StarHeading } from "~/components/layout/star-heading";
import { Notice } from "~/components/notice";
import { SubscriptionState } from "~/components/premium/subscription-state";
import { UpgradeLink } from "~/components/premium/upgrade-link";
import { Cover } from "~/components/song/cover";
import { SongTitle } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import type { EmailPreferences } from "~/domain/contact/email-preferences";
import type { SongRatingsPanel } from "~/domain/rating/received";
import { ratingLabel } from "~/domain/rating/scale";
import type { ViewerView } from "~/domain/session/views";
import type { Tier } from "~/domain/tiers/tiers";
import { counted } from "~/platform/text";
import { RatingHistogram } from "./rating-histogram";

/** "Ratings of my songs" for logged-in users (spec section 2, "My Ratings screen"). */
export function RatingsPage({
  viewer,
  panels,
  mail,
  tier,
  open,
  saved,
  now,
  loading,
}: {
  viewer: ViewerView;
  panels: SongRatingsPanel[];
  mail: Pick<EmailPreferences, "address" | "rating" | "ended">;
  tier: Tier;
  /** The id of the song whose panel is open at first, or null. Mails link to one. */
  open: string | null;
  /** A plain form has just saved the choice about mails. */
  saved: boolean;
  /** The server's clock when the ratings were loaded, in epoch milliseconds. */
  now: number;
  /** The ratings are being reloaded. */
  loading: boolean;
}) {
  return (
    <div className="prose">
      <StarHeading>Ratings of my songs</StarHeading>
      <p className="lead">Every song you add receives 5 ratings.</p>
      <p className="quiet">
        Only you see the ratings of your songs. The rating 'Added to my playlist' exists since Oct
        10, 2025.
      </p>
      {saved ? <Notice tone="ok">Your choice is saved.</Notice> : null}
      {mail.address && mail.ended.rating ? (
        <EndedMails address={mail.address} topics={["rating"]} />
      ) : (
        <MailCheckbox
          field="receiveRatingEmails"
          label="Receive an Email when I get a new Rating"
          wanted={mail.rating}
          disabled={mail.address === null}
          next="/ratings-of-my-songs"
        >
          <p className="quiet">
            {mail.address ? (
              <>
                <bdi>{mail.address}</bdi> <Link to="/account">Change</Link>
              </>
            ) : (
              <>
                We do not know your address. <Link to="/account">Give us one</Link>
              </>
            )}
          </p>
        </MailCheckbox>
      )}
      <SubscriptionState subscription={viewer.subscription} />
      {loading ? <p className="quiet">Loading ratings...</p> : null}
      {panels.length === 0 ? (
        <p className="standalone-message">No ratings yet. Add a song to get started!</p>
      ) : (
        <>
          {panels.map((panel) => (
            <SongRatings
              key={panel.songId}
              panel={panel}
              tier={tier}
              now={now}
              open={panel.songId === open || panels.length === 1}
            />
          ))}
          <SpotifyCredit />
        </>
      )}
    </div>
  );
}

function SongRatings({
  panel,
  tier,
  now,
  open,
}: {
  panel: SongRatingsPanel;
  tier: Tier;
  now: number;
  open: boolean;
}) {
  const { songId, title, entitled, received, owedAtRest, visible, hidden } = panel;
  return (
    <details className="panel" id={`song-${songId}`} open={open}>
      <summary>
        <h2>
          "<bdi>{title}</bdi>" - Entitled for {counted(entitled, "Rating")}
        </h2>
        <span className="rating-summary">
          <RatingHistogram visible={visible} />
          {received > entitled ? `${received} received` : `${received} of ${entitled}`}
          {owedAtRest === null ? null : " · resting"}
        </span>
      </summary>
      <div className="song compact">
        <Cover track={panel} />
        <p>
          <SongTitle track={panel} />
        </p>
      </div>
      {owedAtRest === null ? null : <Resting songId={songId} owed={owedAtRest} />}
      <p>{`It already received ${counted(received, "rating")}${received === 0 ? "." : ":"}`}</p>
      <ul className="dated-list">
        {visible.map(({ score, ratedAt }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: ratings have no id, and keep their order
          <li key={index}>
            {ratingLabel(score)}
            <time dateTime={new Date(ratedAt).toISOString()} title={utcTime(ratedAt)}>
              {timeAgo(ratedAt, now) ?? utcDate(ratedAt)}
            </time>
          </li>
        ))}
      </ul>
      {tier === "free" && hidden > 0 ? (
        <div className="locked-ratings">
          <p>
            <strong>{`You have ${counted(hidden, "more rating")}`}</strong>
            <br />
            Only premium users can see all ratings
          </p>
          <UpgradeLink
            next={`/ratings-of-my-songs?song=${encodeURIComponent(songId)}&unlocked#song-${songId}`}
          />
        </div>
      ) : null}
    </details>
  );
}

/** Says why a song is out of the rotation, and brings it back. */
function Resting({ songId, owed }: { songId: string; owed: number }) {
  const id = encodeURIComponent(songId);
  const { busy, error, onSubmit } = usePost(() => `/ratings-of-my-songs?song=${id}#song-${id}`);
  return (
    <>
      <Notice tone="info">
        {`This song is resting: Spotify did not play it for several listeners. The ${counted(owed, "rating")} that it is owed will come once it is back.`}
      </Notice>
      <form method="post" action={`/songs/${id}/resume`} onSubmit={onSubmit}>
        <button className="button plain" type="submit" aria-disabled={busy || undefined}>
          {busy ? "Asking Spotify..." : "Bring it back"}
        </button>
        {error ? <Notice tone="error">{error}</Notice> : null}
      </form>
    </>
  );
}
