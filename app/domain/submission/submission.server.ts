import { and, eq } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { songs, submissions } from "~/db/schema";
import { selectViewer, toViewer, type Viewer, viewerIdOf } from "~/domain/session/viewer.server";

/** A submission as its confirmation shows it. */
export interface SubmissionView {
  title: string;
  spotifyUrl: string;
  limited: boolean;
}

/**
 * The viewer of a session with one of their own submissions, in one round trip.
 * @returns null if the session has ended; no submission if it is not the viewer's.
 */
export async function loadSubmission(
  db: Database,
  { sessionId, submissionId, now }: { sessionId: string; submissionId: string; now: number },
): Promise<{ viewer: Viewer; submission: SubmissionView | null } | null> {
  const [viewerRows, [submission]] = await db.batch([
    selectViewer(db, sessionId, now),
    db
      .select({ title: songs.title, spotifyUrl: songs.spotifyUrl, limited: submissions.limited })
      .from(submissions)
      .innerJoin(songs, eq(songs.id, submissions.songId))
      .where(
        and(eq(submissions.id, submissionId), eq(submissions.ownerId, viewerIdOf(sessionId, now))),
      ),
  ]);
  const viewer = toViewer(viewerRows);
  return viewer && { viewer, submission: submission ?? null };
}
