import type { ReactElement, ReactNode } from "react";
import { FiveMarks } from "~/components/five-marks";
import { Cover } from "~/components/song/cover";
import { SongTitle } from "~/components/song/song-title";
import type { Score } from "~/exchange/rating/scale";
import type { Verdict } from "~/results/sentences";
import type { Song } from "~/sources/song";
import { MarkKey } from "./mark-key";

export interface Five {
  key: number | string;
  scores: Score[];
  hidden: number;
  sealed?: number;
  caption: ReactElement | null;
}

/** What a result looks like everywhere: the cover, the song, the verdict, a tally with the answers, and their key. */
export function ResultBlock({
  song,
  verdict,
  fives,
  className = "result",
  cover,
  mixes = null,
  children,
}: {
  song: Song;
  verdict: Verdict;
  fives: Five[];
  className?: string;
  /** The cover's width on a phone, and elsewhere. */
  cover: string;
  /** In the place of cover and fives: several mixes, each with its own. */
  mixes?: ReactElement | null;
  children?: ReactNode;
}) {
  const scores = fives.flatMap((five) => five.scores);
  const hidden = fives.reduce((sum, five) => sum + five.hidden, 0);
  return (
    <section className={className} aria-labelledby="said">
      {mixes ? null : <Cover track={song} first={cover} />}
      <h1>
        <SongTitle track={song} />
      </h1>
      <h2 id="said" className="result-verdict">
        <span>{verdict.said}</span>
        {verdict.note === null ? null : <small>{` ${verdict.note}`}</small>}
      </h2>
      <div className="said">
        {mixes ?? (
          <ol className={fives.length > 1 ? "fives several" : "fives"}>
            {fives.map((five) => (
              <li key={five.key}>
                <Tallies {...five} />
                {five.caption}
              </li>
            ))}
          </ol>
        )}
        {scores.length + hidden > 0 ? <MarkKey scores={scores} hidden={hidden} /> : null}
      </div>
      {children}
    </section>
  );
}

/** One tally, but for ratings beyond the five promised. */
export function Tallies({
  scores,
  hidden,
  sealed = 0,
}: Pick<Five, "scores" | "hidden" | "sealed">) {
  if (sealed > 0) return <FiveMarks scores={scores} hidden={hidden} sealed={sealed} />;
  const marks = [...Array<null>(hidden).fill(null), ...[...scores].sort((a, b) => a - b)];
  const starts = Array.from({ length: Math.max(1, Math.ceil(marks.length / 5)) }, (_, n) => n * 5);
  return starts.map((start) => {
    const part = marks.slice(start, start + 5);
    const shown = part.filter((mark) => mark !== null);
    return <FiveMarks key={start} scores={shown} hidden={part.length - shown.length} />;
  });
}
