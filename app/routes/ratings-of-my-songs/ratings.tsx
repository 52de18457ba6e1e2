import { Link } from "@remix-run/react";
import { StarHeading } from "~/components/layout/star-heading";
import { Notice } from "~/components/notice";
import { SubscriptionState } from "~/components/premium/subscription-state";
import { OpinionKey } from "~/components/result/opinion-dots";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import type { EmailPreferences } from "~/members/email-preferences";
import type { ViewerView } from "~/members/views";
import type { SongRatingsPanel } from "~/results/received";
import { RatingMails } from "./rating-mails";
import { SongPanel } from "./song-panel";

/** "Ratings of my songs" for logged-in users: the songs, and below them what applies to all. */
export function RatingsPage({
  viewer,
  panels,
  mail,
  wait,
  open,
  unlocked,
  saved,
  next,
  isFirst,
  canSubmit,
  now,
  loading,
}: {
  viewer: ViewerView;
  panels: SongRatingsPanel[];
  mail: Pick<EmailPreferences, "address" | "rating" | "ended" | "returned">;
  /** The usual time that a song waits for its five ratings, in words. */
  wait: string;
  /** The id of the song whose panel is open at first, as mails link to it; or null. */
  open: string | null;
  /** True if the viewer has just paid for Premium. */
  unlocked: boolean;
  /** True if a plain form has just saved the choice about mails. */
  saved: boolean;
  /** The place after which the next page of the list begins, or null. */
  next: string | null;
  /** True on the first page of the list. */
  isFirst: boolean;
  /** True if the viewer has rated enough songs to submit one. */
  canSubmit: boolean;
  /** The server's clock when the ratings were loaded, in epoch milliseconds. */
  now: number;
  /** True while the ratings are being reloaded. */
  loading: boolean;
}) {
  const { subscription } = viewer;
  const thanks = unlocked && subscription.tier === "premium";
  return (
    <>
      {thanks ? <Notice tone="ok">Thank you for subscribing!</Notice> : null}
      {saved ? <Notice tone="ok">Your choice is saved.</Notice> : null}
      <StarHeading>Ratings of my songs</StarHeading>
      {isFirst ? null : <Link to="/ratings-of-my-songs">Back to the newest</Link>}
      {panels.length === 0 && isFirst ? (
        <div className="standalone-message">
          <p>No ratings yet. Add a song to get started!</p>
          <Link className="button" to={canSubmit ? "/?menu=addownsong" : "/"}>
            {canSubmit ? "Upload Your Song" : "Play and rate songs"}
          </Link>
        </div>
      ) : (
        <div>
          {panels.some(({ scores }) => scores.length > 0) ? <OpinionKey /> : null}
          {panels.map((panel, index) => (
            <SongPanel
              key={panel.songId}
              panel={panel}
              tier={subscription.tier}
              now={now}
              wait={wait}
              first={index === 0}
              open={panel.songId === open || (panels.length === 1 && isFirst)}
              unlocked={thanks && panel.songId === open}
            />
          ))}
        </div>
      )}
      {next === null ? null : (
        <Link className="button plain show-more" to={`?after=${encodeURIComponent(next)}`}>
          Show more
        </Link>
      )}
      {loading ? <p className="quiet">Loading ratings...</p> : null}
      {panels.length > 0 ? <SpotifyCredit /> : null}
      <div className="ratings-notes">
        <div className="prose">
          <p>Every song you add receives 5 ratings.</p>
          <p className="quiet">
            Only you see the ratings of your songs. The rating 'Added to my playlist' exists since
            Oct 10, 2025.
          </p>
        </div>
        <div className="prose">
          <RatingMails mail={mail} />
          <SubscriptionState subscription={subscription} />
        </div>
      </div>
    </>
  );
}
