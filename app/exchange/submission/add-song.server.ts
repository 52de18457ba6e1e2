import { desc, eq, type SQL, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { runBatch } from "~/db/gated";
import { songs, submissions } from "~/db/schema";
import { songColumns } from "~/db/song-columns";
import { toldWait } from "~/exchange/community/community";
import { selectCommunity, toCommunity } from "~/exchange/community/community.server";
import type { Place } from "~/exchange/pool/place";
import { hasPartIn } from "~/exchange/pool/ratable";
import { takenOutText } from "~/exchange/rotation/room";
import { type PendingRound, selectPendingRound } from "~/exchange/round/round.server";
import { hearsSpotifyIn } from "~/members/hearing.server";
import {
  selectViewer,
  touchIfDue,
  toViewer,
  type Viewer,
  viewerIdOf,
} from "~/members/viewer.server";
import { visitTimeoutMs } from "~/members/visit";
import type { PremiumSale } from "~/platform/env";
import type { ListedTrack } from "~/sources/catalogue";
import {
  type CatalogueLocation,
  type Findings,
  noFindings,
  type ResultTrack,
} from "~/sources/catalogue";
import { selectDrafts } from "~/sources/files/drafts.server";
import { recordingErrors } from "~/sources/files/submittable.server";
import { isOwnSongOf, ownSongOf } from "~/sources/recording.server";
import { eachSongOnce } from "~/sources/same-song";
import type { Track } from "~/sources/song";
import { isSameTrack, isTrack } from "~/sources/song";
import type { LookUp } from "~/sources/source";
import { whyUnratable } from "~/sources/unratable";
import {
  isReachedByAll,
  reachedAllText,
  selectListeners,
  selectReach,
  submittedColumns,
} from "./limits.server";
import {
  type SubmissionTerms,
  type SubmittedBefore,
  type SubmittedSong,
  submissionTerms,
  submittedText,
} from "./question";
import { selectStanding, toStanding } from "./standing.server";

const recentSubmissions = 10;

export interface AddSongRequest {
  sessionId: string;
  term: string | null;
  trackId: string | null;
  /** The viewer's own recording of which they want to upload a new mix. */
  mixOf?: string | null;
  place: CatalogueLocation;
}

export interface AddSongServices extends DatabaseAndClock {
  lookUp: LookUp;
  isActivity: boolean;
  isSpotifyOpen: boolean;
  sale?: PremiumSale;
  place: Place | null;
}

export interface OfferedSong extends ListedTrack {
  submitted: string | null;
  playable: boolean;
}

export interface SubmissionQuestion extends SubmissionTerms {
  track: Track;
  /** No artist of the song is known to be the viewer. */
  isByOthers: boolean;
  unratable: string | null;
  wait: string;
}

export interface MixedSong {
  songId: string;
  title: string;
  artist: string;
  /** Why there can be no new mix now. */
  obstacle: string | null;
}

export interface AddSongView
  extends Pick<Findings, "more" | "ownName" | "place" | "pasted" | "error"> {
  viewer: Viewer;
  obstacle: string | null;
  /** A round takes their song, whatever stands in the way of a submission. */
  round: PendingRound | null;
  /** The song that the viewer has added in this visit, where they may not add another. */
  added: string | null;
  noneAvailable: boolean;
  /** Own recordings that have been uploaded, and not submitted. */
  drafts: { recordingId: string; title: string }[];
  /** The song to upload a new mix of. */
  mix: MixedSong | null;
  /** Best match first; null where nothing was searched for, or in vain. */
  results: OfferedSong[] | null;
  question: SubmissionQuestion | null;
}

/**
 * The songs to choose from, or the question about the one chosen, or the obstacle; null if the session has
 * ended. Spotify is asked at most once, three times for a place in the catalogue.
 */
export async function loadAddSong(
  services: AddSongServices,
  { sessionId, mixOf = null, ...asked }: AddSongRequest,
): Promise<AddSongView | null> {
  const { db } = services;
  const now = services.now();
  const viewerId = viewerIdOf(sessionId, now);
  const { recent, ...read } = await runBatch(db, {
    viewer: selectViewer(db, { sessionId, now }),
    ...selectStanding(db, viewerId, {
      ...{ hears: hearsSpotifyIn(sessionId), now },
      ...{ isSpotifyOpen: services.isSpotifyOpen, place: services.place },
    }),
    recent: selectRecent(db, viewerId),
    drafts: selectDrafts(db, viewerId),
    round: selectPendingRound(db, viewerId, now),
    mixed: mixOf === null ? null : selectMixed(db, viewerId, mixOf),
    listeners: mixOf === null ? null : selectListeners(db, sql`${mixOf}`, now),
    community: selectCommunity(db),
  });
  const viewer = toViewer(read.viewer, services.sale);
  if (!viewer) return null;
  const { standing, terms, obstacle } = toStanding(read, viewer, now);
  const isCredited = hasPartIn({
    displayName: viewer.displayName,
    ownArtists: {},
    ...read.pools.offered[0],
  });
  const [round = null] = read.round;
  const [last] = recent;
  const lastArtist = last?.artists[0] ?? null;
  const mixed = read.mixed?.[0];
  const findings =
    (obstacle && !round) || mixed
      ? noFindings
      : await services.lookUp(viewer, { ...asked, lastArtist });
  const before = await findSubmitted(services, viewer, findings);
  const { found, results, ...listed } = findings;
  const foundBefore = before.find(({ trackId }) => trackId === found?.trackId) ?? before[0] ?? null;
  return {
    viewer,
    obstacle,
    round,
    added: obstacle && last && now - last.submittedAt < visitTimeoutMs ? last.title : null,
    noneAvailable: standing.available === 0,
    drafts: read.drafts,
    mix: mixed ? toMixedSong(mixed, read.listeners?.[0]?.isReachedByAll ?? false) : null,
    results:
      results &&
      offeredSongs(
        findings,
        listed.ownName !== null && asked.place.page === 1 ? recent.filter(isTrack) : [],
        before,
      ),
    ...listed,
    question: found && {
      track: found,
      isByOthers: foundBefore === null && !isCredited(found),
      unratable: whyUnratable(found) ?? (foundBefore && whyNotAgain(foundBefore)),
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

function selectMixed(db: Database, viewerId: SQL<string>, songId: string) {
  return db
    .select({
      songId: songs.id,
      title: songs.title,
      artists: songs.artists,
      owed: songs.owed,
      takenOut: songs.takenOut,
    })
    .from(songs)
    .where(sql`${songs.id} = ${songId} AND ${songs.ownerId} = ${viewerId} AND track_id IS NULL`);
}

function toMixedSong(
  mixed: Awaited<ReturnType<typeof selectMixed>>[number],
  hasReachedAll: boolean,
): MixedSong {
  const { songId, title, artists, owed, takenOut } = mixed;
  const waits = owed > 0 ? recordingErrors.owed : null;
  const obstacle = (takenOut === null ? waits : null) ?? whyNotAgain({ takenOut, hasReachedAll });
  return { songId, title, artist: artists.join(", "), obstacle };
}

interface Obstacles {
  takenOut: string | null;
  hasReachedAll: boolean;
}

function whyNotAgain({ takenOut, hasReachedAll }: Obstacles): string | null {
  if (takenOut !== null) return takenOutText(takenOut);
  return hasReachedAll ? reachedAllText : null;
}

function selectRecent(db: Database, viewerId: SQL<string>) {
  return db
    .select({
      ...songColumns,
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

type KnownSong = SubmittedSong & Obstacles & Pick<Track, "trackId" | "isrc">;

function submittedAs<Known extends Pick<Track, "trackId" | "isrc">>(
  track: Pick<Track, "trackId" | "isrc">,
  before: Known[],
): Known | undefined {
  return (
    before.find(({ trackId }) => trackId === track.trackId) ??
    before.find(({ trackId, isrc }) => isSameTrack({ trackIds: [trackId], isrc }, track))
  );
}

/** Also records the session's activity if that is due. */
async function findSubmitted(
  { db, isActivity, now }: AddSongServices,
  viewer: Viewer,
  { found, results }: Findings,
): Promise<KnownSong[]> {
  const asked = found ? [found] : (results ?? []);
  const hasReachedAll = found
    ? isReachedByAll(selectReach(db, ownSongOf(viewer.userId, found), now()))
    : sql`0`;
  const submitted = db
    .select({
      trackId: songs.trackId,
      isrc: songs.isrc,
      ...submittedColumns,
      hasReachedAll: asBoolean(hasReachedAll, "has_reached_all"),
    })
    .from(songs)
    .where(isOwnSongOf(viewer.userId, asked));
  const { tracks = [] } = await runBatch(db, {
    tracks: asked.length > 0 ? submitted : null,
    touch: touchIfDue(db, viewer, { now: now(), isActivity }),
  });
  return tracks.filter(isTrack);
}

/** The songs to choose from, then the `recent` ones: each song once, but an album in full. */
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
