import { desc, eq, type SQL, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { songs, submissions } from "~/db/schema";
import { trackColumns } from "~/db/track-columns";
import { openPool, selectPool } from "~/exchange/carousel/pool/pool.server";
import { toldWait } from "~/exchange/community/community";
import { selectCommunity, toCommunity } from "~/exchange/community/community.server";
import { isOwnSongOf } from "~/exchange/recording.server";
import { takenOutText } from "~/exchange/rotation/room";
import {
  selectViewer,
  touchIfDue,
  toViewer,
  type Viewer,
  viewerIdOf,
} from "~/members/viewer.server";
import { visitTimeoutMs } from "~/members/visit";
import { isSameTrack } from "~/spotify/spotify";
import type { ListedTrack, Track } from "~/spotify/track";
import type { Spotify } from "~/spotify/web-api.server";
import {
  type CatalogueLocation,
  type Findings,
  type LinkReader,
  lookUp,
  noFindings,
  type ResultTrack,
} from "./catalogue.server";
import { eligibility, submissionObstacle } from "./eligibility";
import { selectOwnSongs, selectReach } from "./limits.server";
import {
  type SubmissionTerms,
  type SubmittedBefore,
  type SubmittedSong,
  submissionTerms,
  submittedText,
} from "./question";
import { hasReachedAll, type Reach, reachedAllText, whyUnratable } from "./reach";
import { eachSongOnce } from "./same-song";

/** Number of the viewer's latest submissions that the add-song screen offers again. */
const recentSubmissions = 10;

/** The parameters of the add-song screen, with the login that asks. */
export interface AddSongRequest {
  sessionId: string;
  /** A search term or a pasted link; null or empty for the viewer's own songs. */
  term: string | null;
  /** The track that was chosen, which is asked about; null before that. */
  trackId: string | null;
  /** A place in the catalogue, which may name neither an album nor an artist. */
  place: CatalogueLocation;
}

/** The services of the add-song screen. */
export interface AddSongServices extends DatabaseAndClock {
  spotify(viewer: Viewer): Spotify;
  spotifyLink: LinkReader;
  isActivity: boolean;
}

/** A song that can be chosen; `submitted` is a sentence about its ratings if it was submitted before. */
export interface OfferedSong extends ListedTrack {
  submitted: string | null;
  playable: boolean;
}

/** The question whether to submit a song. */
export interface SubmissionQuestion extends SubmissionTerms {
  track: Track;
  /** The reason for which it cannot be submitted; null if it can. */
  unratable: string | null;
  /** The usual wait for ratings. */
  wait: string;
}

/** The add-song screen's data. */
export interface AddSongView
  extends Pick<Findings, "more" | "ownName" | "place" | "pasted" | "error"> {
  viewer: Viewer;
  /** The reason for which the viewer may not submit right now; null if they may. */
  obstacle: string | null;
  /** The title of the song that the viewer has added in this visit; null if they may add one, or have not. */
  added: string | null;
  /** There is no song left that the viewer could rate. */
  noneAvailable: boolean;
  /** The songs to choose from, best match first; null where none were looked for, or in vain. */
  results: OfferedSong[] | null;
  question: SubmissionQuestion | null;
}

/**
 * The add-song screen: the songs to choose from, or the question about the one chosen, or the obstacle. One
 * round trip reads; a second one looks for tracks that were submitted before, and records the session's
 * activity if that is due. Spotify is asked at most once, three times for a place in the catalogue; a short
 * address is followed besides.
 * @returns null if the session has ended.
 */
export async function loadAddSong(
  services: AddSongServices,
  { sessionId, ...asked }: AddSongRequest,
): Promise<AddSongView | null> {
  const { db } = services;
  const now = services.now();
  const viewerId = viewerIdOf(sessionId, now);
  const { recent, ...read } = await runBatch(db, {
    viewer: selectViewer(db, { sessionId, now }),
    pool: selectPool(db, viewerId),
    own: selectOwnSongs(db, viewerId),
    recent: selectRecent(db, viewerId),
    community: selectCommunity(db),
  });
  const viewer = toViewer(read.viewer);
  const [own] = read.own;
  if (!viewer || !own) return null;
  const pool = openPool(read.pool, viewer, { now });
  const terms = eligibility({ ...viewer, ...pool }, viewer.tierConfig.ratingsToSubmit, now);
  const obstacle = submissionObstacle({ ...pool, ...terms }, own, now);
  const [last] = recent;
  const lastArtist = last?.artists[0] ?? null;
  const catalogue = { spotify: services.spotify(viewer), spotifyLink: services.spotifyLink };
  const findings = obstacle
    ? noFindings
    : await lookUp(catalogue, viewer, { ...asked, lastArtist });
  const { before, reach } = await findSubmitted(services, viewer, findings);
  const { found, results, ...listed } = findings;
  const foundBefore = before.find(({ trackId }) => trackId === found?.trackId) ?? before[0] ?? null;
  return {
    viewer,
    obstacle,
    added: obstacle && last && now - last.submittedAt < visitTimeoutMs ? last.title : null,
    noneAvailable: pool.available === 0,
    results:
      results &&
      offeredSongs(
        findings,
        listed.ownName !== null && asked.place.page === 1 ? recent : [],
        before,
      ),
    ...listed,
    question: found && {
      track: found,
      unratable: whyUnratable(found) ?? whyNotAgain(foundBefore?.takenOut ?? null, reach),
      wait: toldWait(toCommunity(read.community)),
      ...submissionTerms(terms, {
        credits: viewer.credits,
        before: foundBefore,
        track: found,
        compares: viewer.tierConfig.maxVisibleRatings < 0,
      }),
    },
  };
}

/** Why the operator has taken a song out; null if they have not. */
interface TakenOut {
  takenOut: string | null;
}

/** Why a song that was submitted before cannot be submitted again; null if it can. */
function whyNotAgain(takenOut: string | null, reach: Reach | null): string | null {
  if (takenOut !== null) return takenOutText(takenOut);
  return reach && hasReachedAll(reach) ? reachedAllText : null;
}

/** The statement that reads the songs that a user has submitted last, latest first. */
function selectRecent(db: Database, viewerId: SQL<string>) {
  return db
    .select({
      ...trackColumns,
      artistIds: songs.artistIds,
      entitled: songs.entitled,
      owed: songs.owed,
      submittedAt: submissions.createdAt,
    })
    .from(submissions)
    .innerJoin(songs, eq(songs.id, submissions.songId))
    .where(eq(submissions.ownerId, viewerId))
    .orderBy(desc(submissions.createdAt), desc(submissions.id))
    .limit(recentSubmissions);
}

/** A song that was submitted before, with the release that it has. */
type KnownSong = SubmittedSong & TakenOut & Pick<Track, "trackId" | "isrc">;

/** The song of a listed track's recording among those that were submitted before. */
function submittedAs<Known extends Pick<Track, "trackId" | "isrc">>(
  track: Pick<Track, "trackId" | "isrc">,
  before: Known[],
): Known | undefined {
  return (
    before.find(({ trackId }) => trackId === track.trackId) ??
    before.find(({ trackId, isrc }) => isSameTrack({ trackIds: [trackId], isrc }, track))
  );
}

/**
 * The songs of these recordings that the viewer has submitted before, and the reach of the one asked about.
 * Records the session's activity if that is due.
 */
async function findSubmitted(
  { db, isActivity, now }: AddSongServices,
  { userId, session }: Viewer,
  { found, results }: Findings,
): Promise<{ before: KnownSong[]; reach: Reach | null }> {
  const asked = found ? [found] : (results ?? []);
  const submitted = db
    .select({
      trackId: songs.trackId,
      isrc: songs.isrc,
      title: songs.title,
      album: songs.album,
      entitled: songs.entitled,
      owed: songs.owed,
      resting: sql`${songs.restingSince} IS NOT NULL`.mapWith(Boolean).as("resting"),
      takenOut: songs.takenOut,
    })
    .from(songs)
    .where(isOwnSongOf(userId, asked));
  const reach = found && selectReach(db, { ownerId: userId, track: found, now: now() });
  const { tracks } = await runBatch(db, {
    tracks: asked.length > 0 ? { submitted, reach } : null,
    touch: touchIfDue(db, session, { now: now(), isActivity }),
  });
  return { before: tracks?.submitted ?? [], reach: tracks?.reach?.[0] ?? null };
}

/**
 * The songs to choose from, with a sentence about those that were submitted before: each song once, but an
 * album in full.
 * @param recent songs that the viewer has submitted, which follow.
 */
function offeredSongs(
  { results, place }: Findings,
  recent: (Omit<ListedTrack, "albumId"> & SubmittedBefore & { submittedAt: number })[],
  known: KnownSong[],
): OfferedSong[] {
  const before = [...recent, ...known];
  const submitted = new Set(before.map(({ trackId }) => trackId));
  const tracks: ResultTrack[] = [
    ...(results ?? []),
    ...recent.map(({ entitled: _entitled, owed: _owed, submittedAt: _at, ...song }) => ({
      ...song,
      albumId: null,
    })),
  ];
  const isWholeAlbum = place !== null && place.artistId === null;
  const songs = isWholeAlbum
    ? tracks
    : eachSongOnce(tracks, ({ trackId }) => submitted.has(trackId));
  return songs.map((song) => {
    const earlier = submittedAs(song, before);
    return { playable: true, ...song, submitted: earlier ? submittedText(earlier) : null };
  });
}
