import { and, desc, eq, gt } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { prepared, type RowsOf } from "~/db/prepared";
import { songs, submissions } from "~/db/schema";
import { songColumns } from "~/db/song-columns";
import { toldWait, usuallyBy } from "~/exchange/community/community";
import { selectCommunity, toCommunity } from "~/exchange/community/community.server";
import { selectCircle } from "~/exchange/pool/circle.server";
import {
  selectViewer,
  toViewer,
  type Viewer,
  viewerIdGiven,
  viewerIdOf,
} from "~/members/viewer.server";
import { type Song, sourceOf, toSong } from "~/sources/song";

export interface SubmissionView {
  songId: string;
  track: Song;
  number: number;
  limited: boolean;
  /** Who was here in the last week, the viewer too. */
  members: number;
  /** When the usual wait for its ratings is over; null where that is not known. */
  usuallyBy: number | null;
  wait: string;
}

/** One of the viewer's own submissions; null if the session has ended. */
export async function loadSubmission(
  db: Database,
  { sessionId, submissionId, now }: { sessionId: string; submissionId: string; now: number },
): Promise<{ viewer: Viewer; submission: SubmissionView | null } | null> {
  const read = await runBatch(db, {
    viewer: selectViewer(db, { sessionId, now }),
    submission: db
      .select({
        songId: submissions.songId,
        number: submissions.number,
        limited: submissions.limited,
        submittedAt: submissions.createdAt,
        track: songColumns,
      })
      .from(submissions)
      .innerJoin(songs, eq(songs.id, submissions.songId))
      .where(
        and(eq(submissions.id, submissionId), eq(submissions.ownerId, viewerIdOf(sessionId, now))),
      ),
    community: selectCommunity(db),
    circle: selectCircle(db, now),
  });
  const viewer = toViewer(read.viewer);
  if (!viewer) return null;
  const [found] = read.submission;
  if (!found) return { viewer, submission: null };
  const { submittedAt, track, ...submission } = found;
  const source = sourceOf(track);
  const community = toCommunity(read.community, source);
  const wait = toldWait(community, source);
  const { members = 0 } = read.circle[0] ?? {};
  const told = { usuallyBy: usuallyBy(community, submittedAt, now), wait, members };
  return { viewer, submission: { ...submission, track: toSong(track), ...told } };
}

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

export function toJustSubmitted(
  [row]: RowsOf<typeof selectJustSubmitted>,
  community: RowsOf<typeof selectCommunity>,
  now: number,
): JustSubmitted | null {
  if (!row) return null;
  const { trackId, submittedAt, ...song } = row;
  const figures = toCommunity(community, sourceOf({ trackId }));
  return { ...song, usuallyBy: usuallyBy(figures, submittedAt, now) };
}
