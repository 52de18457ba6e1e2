import { and, type SQL, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { songs } from "~/db/schema";
import { toldWait } from "~/exchange/community/community";
import { selectCommunity, toCommunity } from "~/exchange/community/community.server";
import type { Place } from "~/exchange/pool/place";
import { takenOutText } from "~/exchange/rotation/room";
import { type PendingRound, selectPendingRound } from "~/exchange/round/round.server";
import { hearsSpotifyIn } from "~/members/hearing.server";
import {
  selectViewer,
  touchSession,
  toViewer,
  type Viewer,
  viewerIdOf,
} from "~/members/viewer.server";
import type { PremiumSale } from "~/platform/env";
import { type Rejection, reject } from "~/platform/rejection";
import { type Draft, selectDraft } from "~/sources/files/drafts.server";
import { recordingErrors } from "~/sources/files/submittable.server";
import { ownSongOfFile } from "~/sources/recording.server";
import { reachedAllText, selectListeners, submittedColumns } from "./limits.server";
import { type SubmissionTerms, submissionTerms } from "./question";
import { selectStanding, toStanding } from "./standing.server";

export interface PriceServices extends DatabaseAndClock {
  isSpotifyOpen: boolean;
  place: Place | null;
}

export interface DraftView {
  viewer: Viewer;
  /** Null if the viewer has no such recording. */
  draft: Draft | null;
  /** The song that it is a new mix of. */
  mixOf: { songId: string; title: string } | null;
  obstacle: string | null;
  /** A round takes it, whatever stands in the way of a submission. */
  round: PendingRound | null;
  terms: SubmissionTerms;
  wait: string;
}

/** A recording of the viewer's, with the question that each submission asks; null if the session has ended. */
export async function loadDraft(
  { db, now, isSpotifyOpen, place, sale }: PriceServices & { sale?: PremiumSale },
  { sessionId, recordingId }: { sessionId: string; recordingId: string },
): Promise<DraftView | null> {
  const at = now();
  const viewerId = viewerIdOf(sessionId, at);
  const read = await runBatch(db, {
    viewer: selectViewer(db, { sessionId, now: at }),
    draft: selectDraft(db, { ownerId: viewerId, recordingId, now: at }),
    before: selectBefore(db, viewerId, recordingId),
    listeners: selectListeners(db, songOf(viewerId, recordingId), at),
    round: selectPendingRound(db, viewerId, at),
    standing: selectStanding(db, viewerId, {
      hears: hearsSpotifyIn(sessionId),
      now: at,
      ...{ isSpotifyOpen, place },
    }),
    community: selectCommunity(db),
  });
  const viewer = toViewer(read.viewer, sale);
  if (!viewer) return null;
  const [draft = null] = read.draft;
  const { terms, obstacle } = toStanding(read.standing, viewer, at, draft?.agreedCost);
  const named = read.before.find(({ songId }) => songId === draft?.mixOf);
  const before = named ?? read.before[0] ?? null;
  const mixOf = before && before.recording !== draft?.hash ? before : null;
  return {
    viewer,
    draft,
    round: mixOf === null ? (read.round[0] ?? null) : null,
    mixOf,
    obstacle:
      obstacle ??
      (before?.takenOut ? takenOutText(before.takenOut) : null) ??
      (mixOf && whyNoMix(mixOf, read.before)) ??
      (draft?.isAgreedMix || !read.listeners[0]?.isReachedByAll ? null : reachedAllText),
    terms: submissionTerms(terms, {
      credits: viewer.credits,
      before: before && { ...before, trackId: null },
      track: { trackId: null },
      compares: viewer.tierConfig.maxVisibleRatings < 0,
      isMix: mixOf !== null,
      isSameFile: mixOf === null && draft?.state === "draft",
    }),
    wait: toldWait(toCommunity(read.community, "files"), "files"),
  };
}

type SongBefore = Awaited<ReturnType<typeof selectBefore>>[number];

function whyNoMix({ songId, owed }: SongBefore, before: SongBefore[]): string | null {
  if (before.some((other) => other.songId !== songId)) return recordingErrors.otherSong;
  return owed > 0 ? recordingErrors.owed : null;
}

/** The song that it would be submitted for. */
function songOf(ownerId: SQL<string>, recordingId: string): SQL<string | null> {
  return sql`(SELECT coalesce(mix_of, ${ownSongOfFile(ownerId, sql`recordings.hash`)})
    FROM recordings WHERE id = ${recordingId} AND owner_id = ${ownerId} AND state = 'draft')`;
}

/** The viewer's songs that have the same file, or that it is a new mix of. */
function selectBefore(db: Database, ownerId: SQL<string>, recordingId: string) {
  const ofFile = (column: SQL) => sql`(SELECT ${column} FROM recordings WHERE id = ${recordingId})`;
  return db
    .select({
      songId: songs.id,
      recording: songs.recording,
      ...submittedColumns,
    })
    .from(songs)
    .where(
      and(
        sql`${songs.ownerId} = ${ownerId}`,
        sql`(${songs.id} = ${ofFile(sql`mix_of`)}
          OR ${songs.id} = ${ownSongOfFile(ownerId, ofFile(sql`hash`))})`,
      ),
    );
}

/**
 * Who a session's viewer is, and what a submission would cost them now or why there can be none (rules 25, 26, 37 and
 * 39). Null if the session has ended. One round trip, in which activity is recorded.
 */
export async function loadPrice(
  { db, now, isSpotifyOpen, place }: PriceServices,
  sessionId: string,
): Promise<{ viewer: Viewer; price: { cost: number | null } | Rejection } | null> {
  const at = now();
  const viewerId = viewerIdOf(sessionId, at);
  const read = await runBatch(db, {
    touch: touchSession(db, sessionId, at),
    viewer: selectViewer(db, { sessionId, now: at }),
    standing: selectStanding(db, viewerId, {
      hears: hearsSpotifyIn(sessionId),
      now: at,
      ...{ isSpotifyOpen, place },
    }),
    round: selectPendingRound(db, viewerId, at),
  });
  const viewer = toViewer(read.viewer);
  if (!viewer) return null;
  const { terms, obstacle } = toStanding(read.standing, viewer, at);
  const { cost, remaining } = terms;
  // For a round it costs nothing, and nothing is agreed for a submission.
  if (obstacle && read.round.length > 0) return { viewer, price: { cost: null } };
  return { viewer, price: obstacle ? reject(409, obstacle, { remaining }) : { cost } };
}
