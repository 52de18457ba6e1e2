import { and, desc, eq, gt } from "drizzle-orm";
import { prepared } from "~/db/prepared";
import { songs, submissions } from "~/db/schema";
import { usuallyBy } from "~/exchange/community/community";
import {
  figuresFor,
  type selectCommunity,
  toCommunity,
} from "~/exchange/community/community.server";
import { viewerIdGiven } from "~/members/viewer.server";
import { sourceOf } from "~/sources/song";

/** For the line that the carousel keeps of a submission. */
export interface JustSubmitted {
  songId: string;
  title: string;
  /** When the usual wait for its ratings is over; null where that is not known. */
  usuallyBy: number | null;
}

/** The latest submission of the login `sessionId` after `since`. */
export const selectJustSubmitted = prepared((db, param) =>
  db
    .select({
      songId: songs.id,
      title: songs.title,
      trackId: songs.trackId,
      submittedAt: submissions.createdAt,
    })
    .from(submissions)
    .innerJoin(songs, eq(songs.id, submissions.songId))
    .where(
      and(eq(submissions.ownerId, viewerIdGiven(param)), gt(submissions.createdAt, param("since"))),
    )
    .orderBy(desc(submissions.createdAt))
    .limit(1),
);

type Rows<Select extends (...parts: never) => { _: { result: unknown } }> =
  ReturnType<Select>["_"]["result"];

export function toJustSubmitted(
  [row]: Rows<typeof selectJustSubmitted>,
  community: Rows<typeof selectCommunity>,
  now: number,
): JustSubmitted | null {
  if (!row) return null;
  const { trackId, submittedAt, ...song } = row;
  const figures = toCommunity(community, figuresFor[sourceOf({ trackId })]);
  return { ...song, usuallyBy: usuallyBy(figures, submittedAt, now) };
}
