import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Spotify } from "~/adapters/spotify/spotify";
import type { Track } from "~/adapters/spotify/track";
import type { Database } from "~/db/client.server";
import { songs, submissions } from "~/db/schema";
import { trackColumns } from "~/db/track-columns";
import { toldWait } from "~/domain/community/community";
import { selectCommunity, toCommunity } from "~/domain/community/community.server";
import { openPool, selectPool } from "~/domain/pool/pool.server";
import {
  selectViewer,
  touchIfDue,
  toViewer,
  type Viewer,
  viewerIdOf,
} from "~/domain/session/viewer.server";
import { eligibility } from "./eligibility";
import { isFreeUsed, submissionObstacle } from "./limits";
import { selectOwnSongs } from "./limits.server";
import { type LinkReader, type Looked, look, nothing } from "./look.server";
import { whyUnratable } from "./playable";
import {
  type SubmissionTerms,
  type SubmittedBefore,
  type SubmittedSong,
  submissionTerms,
  submittedText,
} from "./question";
import { eachSongOnce } from "./same-song";
import { selectJustUndone } from "./undo.server";

/** How many of the viewer's latest submissions the add-song screen offers again. */
const recentSubmissions = 10;

/** What the add-song screen is asked for. */
export interface AddSongRequest {
  sessionId: string;
  /** A search term or a pasted link; null or empty for the viewer's own songs. */
  term: string | null;
  /** The track that was chosen, which is asked about; null before that. */
  trackId: string | null;
  /** A submission that may just have been taken back, or null. */
  undoneId: string | null;
}

/** What the add-song screen works with. */
export interface AddSongServices {
  db: Database;
  /** Spotify on behalf of a viewer. */
  spotify(viewer: Viewer): Spotify;
  spotifyLink: LinkReader;
  secret: string;
  isActivity: boolean;
  /** Epoch milliseconds. */
  now(): number;
}

/** A song that can be chosen; `submitted` says how it stands if it was submitted before. */
export interface OfferedSong extends Track {
  submitted: string | null;
}

/** Asks whether to submit a song. */
export interface SubmissionQuestion extends SubmissionTerms {
  track: Track;
  /** Why it cannot be submitted; null if it can. */
  unratable: string | null;
  /** How long songs usually wait for their ratings. */
  wait: string;
}

/** What the add-song screen shows. */
export interface AddSongView {
  viewer: Viewer;
  /** Why the viewer may not submit right now; null if they may. */
  obstacle: string | null;
  /** There is nothing left that the viewer could rate. */
  noneAvailable: boolean;
  /** The submission asked about was just taken back, and none has followed. */
  undone: boolean;
  /** The songs to choose from, best match first; null where none were looked for, or in vain. */
  results: OfferedSong[] | null;
  /** The name under which the viewer's own songs were looked for; null if it was something else. */
  ownName: string | null;
  question: SubmissionQuestion | null;
  /** Why nothing could be found. */
  error: string | null;
}

/**
 * The add-song screen: whether the viewer may submit, and the songs to choose from, or the question
 * about the one chosen. One round trip reads, and a second one records the session's activity if that is
 * due and looks for what was submitted before. Spotify is asked at most once, besides where a short
 * address leads.
 * @returns null if the session has ended.
 */
export async function loadAddSong(
  services: AddSongServices,
  { sessionId, undoneId, ...asked }: AddSongRequest,
): Promise<AddSongView | null> {
  const { db, secret } = services;
  const now = services.now();
  const viewerId = viewerIdOf(sessionId, now);
  const [viewerRows, poolRows, [own], recent, community, undone] = await db.batch([
    selectViewer(db, sessionId, now),
    selectPool(db, viewerId),
    selectOwnSongs(db, viewerId),
    selectRecent(db, viewerId),
    selectCommunity(db),
    selectJustUndone(db, viewerId, { submissionId: undoneId ?? "", now }),
  ]);
  const viewer = toViewer(viewerRows);
  if (!viewer || !own) return null;
  const { available } = await openPool(poolRows, viewer, { secret, now });
  const standing = { ...viewer, available, freeUsed: isFreeUsed(own, now) };
  const terms = eligibility(standing, viewer.limits.songsToRateBeforeUpload);
  const obstacle = submissionObstacle({ ...terms, available }, own, now);
  const lastArtist = recent[0]?.artists[0] ?? null;
  const at = { spotify: services.spotify(viewer), spotifyLink: services.spotifyLink };
  const looked = obstacle ? nothing : await look(at, viewer, { ...asked, lastArtist });
  const before = await findSubmitted(services, viewer, looked);
  const { found, results, ownName, error } = looked;
  return {
    viewer,
    obstacle,
    noneAvailable: available === 0,
    undone: undone.length > 0,
    results: results && offered([...results, ...(ownName === null ? [] : recent)], before),
    ownName,
    question: found && {
      track: found,
      unratable: whyUnratable(found),
      wait: toldWait(toCommunity(community)),
      ...submissionTerms(terms, {
        credits: viewer.credits,
        before: before.get(found.trackId) ?? null,
        compares: viewer.limits.maxVisibleRatings < 0,
      }),
    },
    error,
  };
}

/** The statement that reads the songs that a user has submitted last, latest first. */
function selectRecent(db: Database, viewerId: SQL<string>) {
  return db
    .select({ ...trackColumns, entitled: songs.entitled, owed: songs.owed })
    .from(submissions)
    .innerJoin(songs, eq(songs.id, submissions.songId))
    .where(eq(submissions.ownerId, viewerId))
    .orderBy(desc(submissions.createdAt))
    .limit(recentSubmissions);
}

/** Which of the tracks the viewer has submitted before. Records the session's activity if that is due. */
async function findSubmitted(
  { db, isActivity, now }: AddSongServices,
  { userId, session }: Viewer,
  { found, results }: Looked,
): Promise<Map<string, SubmittedSong>> {
  const touch = touchIfDue(db, session, { now: now(), isActivity });
  const ids = (found ? [found] : (results ?? [])).map(({ trackId }) => trackId);
  if (ids.length === 0) {
    await touch;
    return new Map();
  }
  const read = db
    .select({
      trackId: songs.trackId,
      entitled: songs.entitled,
      owed: songs.owed,
      resting: sql`${songs.restingSince} IS NOT NULL`.mapWith(Boolean).as("resting"),
    })
    .from(songs)
    .where(
      and(
        eq(songs.ownerId, userId),
        sql`${songs.trackId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    );
  const [rows] = touch ? await db.batch([read, touch]) : [await read];
  return new Map(rows.map(({ trackId, ...standing }) => [trackId, standing]));
}

/** Each song once, without what is not for its list, and how it stands if it was submitted before. */
function offered(
  tracks: (Track & Partial<SubmittedBefore>)[],
  known: Map<string, SubmittedBefore>,
): OfferedSong[] {
  const before = (track: (typeof tracks)[number]) => {
    const { entitled, owed } = track;
    return entitled && owed !== undefined ? { entitled, owed } : known.get(track.trackId);
  };
  return eachSongOnce(tracks, (track) => before(track) !== undefined).map((track) => {
    const { entitled: _entitled, owed: _owed, ...song } = track;
    const standing = before(track);
    return { ...song, submitted: standing ? submittedText(standing) : null };
  });
}
