import { Link } from "@remix-run/react";
import { Mark } from "~/components/marks";
import { UpgradeLink } from "~/components/premium/upgrade-link";
import { MarkRow } from "~/components/result/mark-row";
import { RestingSong, restingText } from "~/components/result/resting-song";
import { Cover } from "~/components/song/cover";
import { ExplicitMark } from "~/components/song/song-title";
import { tinted } from "~/components/song/tinted";
import { ratingLabel } from "~/exchange/rating/scale";
import { type Tier, tierConfigs } from "~/members/tiers";
import { dateAndTime, dayAndMonth, fullDate } from "~/platform/dates";
import { counted } from "~/platform/text";
import { timeAgo } from "~/platform/time-ago";
import type { RatingLine, SongRatingsPanel } from "~/results/received";
import { whySealed } from "~/results/sentences";

export function SongPanel({
  panel,
  tier,
  now,
  wait,
  first,
  open,
  unlocked,
}: {
  panel: SongRatingsPanel;
  tier: Tier;
  now: number;
  wait: string;
  first: boolean;
  open: boolean;
  /** True if Premium has just made more of its ratings visible. */
  unlocked: boolean;
}) {
  const { songId, title, entitled, received, owed, resting, takenOut, scores, lines } = panel;
  const { hidden, sealed } = panel;
  const id = encodeURIComponent(songId);
  const here = `/ratings-of-my-songs?song=${id}`;
  const visibleCount = received - sealed - hidden;
  const isCut = visibleCount > scores.length;
  const news = lines.filter(({ isNew }) => isNew).length;
  return (
    <details
      className={`song-row ${tinted(panel)}`}
      id={`song-${songId}`}
      open={open || opened.has(songId)}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) opened.add(songId);
        else opened.delete(songId);
      }}
    >
      <summary>
        <Cover track={panel} first={first ? "5.5rem" : undefined} />
        <h2>
          <span title={title}>
            "<bdi>{title}</bdi>"
          </span>
          <span className="visually-hidden">{" - "}</span>
          <small>
            {entitled > 0 ? `Entitled for ${counted(entitled, "Rating")}` : "Handed in to a round"}
          </small>
          <ExplicitMark track={panel} />
          {news > 0 ? (
            <small>
              {" "}
              <span className="badge news">{`${news} new since your last visit`}</span>
            </small>
          ) : null}
        </h2>
        <span className="sum">
          <span>
            <b>{panel.said}</b>
            <small>
              {[restingText(panel), isCut ? `Latest ${scores.length} shown` : null]
                .filter(Boolean)
                .join(" · ")}
            </small>
          </span>
          <MarkRow scores={scores} hidden={hidden} sealed={sealed} awaited={owed} />
        </span>
      </summary>
      <div className="song-row-body">
        {resting || takenOut !== null ? <RestingSong {...panel} next={here} /> : null}
        <p>
          {entitled === 0
            ? "What its rounds have said stands on its page."
            : `It already received ${counted(received, "rating")}${lines.length === 0 ? "." : ":"}`}
        </p>
        {lines.length === 0 ? null : (
          <ul>
            {lines.map((line, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: ratings have no id, and their order is fixed
              <li key={place}>
                <Mark score={line.score} />
                <span>
                  <span>{`${ratingLabel(line.score)} `}</span>
                  <time
                    dateTime={new Date(line.ratedAt).toISOString()}
                    title={dateAndTime(line.ratedAt)}
                  >
                    {timeAgo(line.ratedAt, now) ?? fullDate(line.ratedAt)}
                  </time>
                  <News line={line} unlocked={unlocked && place >= freeCount} />
                </span>
              </li>
            ))}
          </ul>
        )}
        {sealed > 0 ? <p>{whySealed}</p> : null}
        {owed > 0 && !resting ? (
          panel.usuallyBy === null ? (
            <p className="quiet">{`${toCome(owed)} ${wait}`}</p>
          ) : (
            <p className="quiet">
              <span>{toCome(owed)}</span>{" "}
              <time dateTime={new Date(panel.usuallyBy).toISOString()}>
                {`Usually by ${dayAndMonth(panel.usuallyBy)}.`}
              </time>
            </p>
          )
        ) : null}
        {tier === "free" && hidden > 0 ? (
          <div className="locked-ratings">
            <p>
              <strong>{`You have ${counted(hidden, "more rating")}`}</strong>
              <br />
              Only premium users can see all ratings
            </p>
            <UpgradeLink className="link-button" next={`${here}&unlocked#song-${id}`} />
          </div>
        ) : null}
        <div className="actions">
          <Link
            className="link-button"
            to={`/ratings-of-my-songs/${id}${panel.drawn ? "?drawn" : ""}`}
          >
            <span>{linkText(received, visibleCount, lines.length)}</span>
            <span className="visually-hidden">{` about "${title}"`}</span>
          </Link>
          {panel.spotifyUrl === null ? null : (
            <a className="link-button" href={panel.spotifyUrl} target="_blank" rel="noopener">
              Open in Spotify
              <span className="visually-hidden">
                : <bdi>{title}</bdi>
              </span>
            </a>
          )}
        </div>
      </div>
    </details>
  );
}

/** Which rows were open, for whoever comes back to the list in the same document. */
const opened = new Set<string>();

function linkText(received: number, seen: number, listed: number): string {
  if (received === 0) return "More";
  return seen > listed ? `All ${seen} ratings` : "What the ratings say";
}

const freeCount = tierConfigs.free.maxVisibleRatings;

function News({ line, unlocked }: { line: RatingLine; unlocked: boolean }) {
  const text = unlocked ? "new with Premium" : line.isNew ? "new" : null;
  return (
    text && (
      <span>
        {" "}
        <span className="badge news">{text}</span>
      </span>
    )
  );
}

function toCome(owed: number): string {
  return `${counted(owed, "rating")} ${owed === 1 ? "is" : "are"} still to come.`;
}
