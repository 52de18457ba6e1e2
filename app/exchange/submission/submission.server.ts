import { and, eq } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { songs, submissions } from "~/db/schema";
import { trackColumns } from "~/db/track-columns";
import { toldWait } from "~/exchange/community/community";
import { selectCommunity, toCommunity } from "~/exchange/community/community.server";
import { selectViewer, toViewer, type Viewer, viewerIdOf } from "~/members/viewer.server";
import type { Track } from "~/spotify/track";

/** A submission as its confirmation shows it. */
export interface SubmissionView {
  songId: string;
  track: Track;
  /** Its number among the song's submissions, from 1. */
  number: number;
  limited: boolean;
  /** The usual wait for ratings. */
  wait: string;
}

/**
 * The viewer of a session with one of their own submissions, in one round trip.
 * @returns null if the session has ended; no submission if it is not the viewer's.
 */
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
        track: trackColumns,
      })
      .from(submissions)
      .innerJoin(songs, eq(songs.id, submissions.songId))
      .where(
        and(eq(submissions.id, submissionId), eq(submissions.ownerId, viewerIdOf(sessionId, now))),
      ),
    community: selectCommunity(db),
  });
  const viewer = toViewer(read.viewer);
  if (!viewer) return null;
  const [submission] = read.submission;
  if (!submission) return { viewer, submission: null };
  const wait = toldWait(toCommunity(read.community));
  return { viewer, submission: { ...submission, wait } };
}
