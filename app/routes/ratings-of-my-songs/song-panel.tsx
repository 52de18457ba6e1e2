import { Link } from "@remix-run/react";
import { useUntouched } from "~/components/form/use-untouched";
import { timeAgo, utcDate, utcTime } from "~/components/format/date";
import { UpgradeLink } from "~/components/premium/upgrade-link";
import { OpinionDots } from "~/components/result/opinion-dots";
import { ReceivedTally } from "~/components/result/received-tally";
import { RestingSong, restingText } from "~/components/result/resting-song";
import { Cover } from "~/components/song/cover";
import { SongTitle } from "~/components/song/song-title";
import { ratingLabel } from "~/exchange/rating/scale";
import { type Tier, tierConfigs } from "~/members/tiers";
import { counted } from "~/platform/text";
import type { RatingLine, SongRatingsPanel } from "~/results/received";

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
  const { songId, title, entitled, received, owed, resting, takenOut, scores, lines, hidden } =
    panel;
  const id = encodeURIComponent(songId);
  const here = `/ratings-of-my-songs?song=${id}`;
  const visibleCount = received - hidden;
  const drawn = useUntouched() && panel.drawn;
  return (
    <details
      className={`panel song-panel${drawn ? " drawn-dots" : ""}`}
      id={`song-${songId}`}
      open={open}
    >
      <summary>
        <Cover track={panel} first={first ? "5.5rem" : undefined} />
        <h2>
          <span>
            "<bdi>{title}</bdi>"
          </span>
          <span>{` - Entitled for ${counted(entitled, "Rating")} `}</span>
          {lines.some(({ isNew }) => isNew) ? (
            <span className="badge news">new since your last visit</span>
          ) : null}
        </h2>
        <span className="quiet">
          <ReceivedTally
            received={received}
            entitled={entitled}
            drawn={drawn}
            more={
              (restingText(panel) ?? "") +
              (visibleCount > scores.length ? ` · latest ${scores.length} shown` : "")
            }
          />
        </span>
        <OpinionDots scores={scores} />
      </summary>
      <div className="song-panel-body">
        <p>
          <SongTitle track={panel} />
        </p>
        {resting || takenOut !== null ? <RestingSong {...panel} next={here} /> : null}
        <p>{`It already received ${counted(received, "rating")}${received === 0 ? "." : ":"}`}</p>
        <ul className="dated-list">
          {lines.map((line, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: ratings have no id, and their order is fixed
            <li key={place}>
              <span>
                <OpinionDots scores={[line.score]} decorative />
                <span>{` ${ratingLabel(line.score)}`}</span>
                <Mark line={line} unlocked={unlocked && place >= freeCount} />
              </span>
              <time dateTime={new Date(line.ratedAt).toISOString()} title={utcTime(line.ratedAt)}>
                {timeAgo(line.ratedAt, now) ?? utcDate(line.ratedAt)}
              </time>
            </li>
          ))}
        </ul>
        {owed > 0 && !resting ? (
          <p className="quiet">{`${counted(owed, "rating")} ${owed === 1 ? "is" : "are"} still to come. ${wait}`}</p>
        ) : null}
        {tier === "free" && hidden > 0 ? (
          <div className="locked-ratings">
            <p>
              <strong>{`You have ${counted(hidden, "more rating")}`}</strong>
              <br />
              Only premium users can see all ratings
            </p>
            <UpgradeLink next={`${here}&unlocked#song-${id}`} />
          </div>
        ) : null}
        <Link
          className="button plain"
          to={`/ratings-of-my-songs/${id}${panel.drawn ? "?drawn" : ""}`}
        >
          <span>{linkText(received, visibleCount, lines.length)}</span>
          <span className="visually-hidden">{` about "${title}"`}</span>
        </Link>
      </div>
    </details>
  );
}

function linkText(received: number, seen: number, listed: number): string {
  if (received === 0) return "More";
  return seen > listed ? `All ${seen} ratings` : "What the ratings say";
}

const freeCount = tierConfigs.free.maxVisibleRatings;

function Mark({ line, unlocked }: { line: RatingLine; unlocked: boolean }) {
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
