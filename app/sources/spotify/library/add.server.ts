import type { DatabaseAndClock } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { forgetPlaylistGrant } from "~/login/sessions.server";
import type { Viewer } from "~/members/viewer.server";
import { minuteMs } from "~/platform/dates";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import type { Track } from "~/sources/song";
import { isSameTrack, isTrack, songErrors } from "~/sources/song";
import { lacksPermission, SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { refuseAsSpotify } from "~/sources/spotify/failure.server";
import {
  forgetPlaylist,
  playlistTexts,
  releaseLease,
  rememberAdd,
  selectAdds,
  selectRatedSong,
  takeLease,
} from "./adds.server";
import { findsAmong, findsKey, findsName } from "./finds";

const leaseMs = minuteMs;
/** Read deadline; the rest of the lease is reserved for the write. */
const maxReadMs = 20_000;
const pollIntervalMs = 500;
const maxPolls = 20;
/** Polls at which we also ask Spotify whether the other request succeeded. */
const polledPlaylists = [4, maxPolls];
/**
 * Spotify's lists may lack for so long what was just added or made, and a write whose answer was lost may
 * still land.
 */
const settlingMs = minuteMs;
const maxPages = 20;

export interface PlaylistServices extends DatabaseAndClock {
  spotify: Pick<Spotify, "ownPlaylists" | "createPlaylist" | "playlistHolds" | "addToPlaylist">;
}

export interface AddRequest {
  songId: string;
  /** Spotify's id, or `findsKey`. */
  playlist: string;
  name: string;
}

export interface Added {
  ok: true;
  playlistId: string;
  again: boolean;
}

/**
 * Puts a rated song into a playlist of the viewer's once (rule 21, true additions): presses of one user wait for each other,
 * and a playlist that holds the track is left as it is. Where Spotify does not say whether it was added,
 * nothing is written for a minute, and the next press finds the track there. Makes "Fivefold finds" if
 * needed, and marks a rating "Added to my playlist!" as true. "permission": it is missing.
 */
export async function addToPlaylist(
  services: PlaylistServices,
  { userId, session }: Viewer,
  request: AddRequest,
): Promise<Added | "permission" | Rejection> {
  const { db, now } = services;
  const { songId } = request;
  for (let poll = 0; poll <= maxPolls; poll += 1) {
    if (poll > 0) await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
    const at = now();
    const until = at + leaseMs;
    const {
      song: [song],
      recent,
      taken,
    } = await runBatch(db, {
      song: selectRatedSong(db, userId, songId),
      recent: selectAdds(db, userId, at - settlingMs),
      taken: takeLease(db, { userId, songId }, { now: at, until }),
    });
    if (!song) return reject(404, songErrors.noSong);
    if (!isTrack(song)) return reject(409, playlistTexts.notAtSpotify);
    if (song.ratedAt === null) return reject(409, playlistTexts.notRated);
    const checkTime = () => {
      if (now() > at + maxReadMs) throw new SpotifyError(0, "Spotify was too slow");
    };
    if (taken.length > 0) {
      const turn = { userId, session, until, checkTime, track: song, recent };
      return addUnderLease(services, { ...turn, isWriting: false, hasMade: false }, request);
    }
    const found =
      polledPlaylists.includes(poll) &&
      (await findAdded(services, { track: song, checkTime }, request));
    if (found) {
      await runBatch(db, rememberAdd(db, { ...request, ...found, userId, now: now() }));
      return { ok: true, playlistId: found.playlistId, again: true };
    }
  }
  return reject(409, playlistTexts.busy);
}

interface Turn {
  userId: string;
  session: Viewer["session"];
  until: number;
  /** Throws a SpotifyError if a write that begins now might outlast the lease. */
  checkTime(): void;
  /** The latest call to Spotify is, or was, a write. */
  isWriting: boolean;
  /** "Fivefold finds" was made, which Spotify's list may lack. */
  hasMade: boolean;
  track: Pick<Track, "trackId" | "isrc">;
  recent: Awaited<ReturnType<typeof selectAdds>>;
}

/** The playlist, if the press before has put the track into it. */
async function findAdded(
  { spotify }: PlaylistServices,
  { track, checkTime }: Pick<Turn, "track" | "checkTime">,
  { playlist, name }: AddRequest,
): Promise<{ playlistId: string; playlistName: string } | null> {
  try {
    const isFinds = playlist === findsKey;
    const playlistId = isFinds ? await findFindsPlaylist(spotify, checkTime) : playlist;
    if (!playlistId || !(await spotify.playlistHolds(playlistId, track))) return null;
    return { playlistId, playlistName: isFinds ? findsName : name };
  } catch (error) {
    if (error instanceof SpotifyError) return null;
    throw error;
  }
}

async function addUnderLease(
  services: PlaylistServices,
  turn: Turn,
  request: AddRequest,
): Promise<Added | "permission" | Rejection> {
  const { db, now } = services;
  const { userId, until } = turn;
  // Keeps the lease after a write that Spotify's lists may not show yet.
  const releaseTurn = ({ isUnsettled }: { isUnsettled: boolean }) =>
    releaseLease(db, userId, until, isUnsettled ? now() + settlingMs : 0);
  let playlistId: string | null = request.playlist === findsKey ? null : request.playlist;
  try {
    playlistId ??= await findOrMakeFindsPlaylist(services, turn);
    const outcome = await addOnce(services.spotify, turn, playlistId);
    if (outcome === "added" || outcome === "again") {
      const playlistName = request.playlist === findsKey ? findsName : request.name;
      const add = { userId, songId: request.songId, playlistId, playlistName, now: now() };
      const release = releaseTurn({ isUnsettled: false });
      await runBatch(db, { add: rememberAdd(db, add), release });
      logEvent("playlist_added", { kind: outcome });
      return { ok: true, playlistId, again: outcome === "again" };
    }
    const forget = outcome === "gone" ? forgetPlaylist(db, userId, playlistId) : null;
    await runBatch(db, { release: releaseTurn({ isUnsettled: turn.hasMade }), forget });
    return reject(409, playlistTexts[outcome]);
  } catch (error) {
    if (lacksPermission(error)) {
      const release = releaseTurn({ isUnsettled: turn.hasMade });
      await runBatch(db, { release, forget: forgetPlaylistGrant(db, turn.session.spotify) });
      return "permission";
    }
    // The write may have landed, or may land later.
    const isUnsure =
      turn.isWriting && error instanceof SpotifyError && error.outage && error.status !== 429;
    await releaseTurn({ isUnsettled: isUnsure || turn.hasMade });
    if (!(error instanceof SpotifyError)) throw error;
    return isUnsure && playlistId !== null
      ? reject(503, playlistTexts.unsure)
      : refuseAsSpotify(error, playlistTexts.notAdded);
  }
}

async function findOrMakeFindsPlaylist({ spotify }: PlaylistServices, turn: Turn): Promise<string> {
  const used = turn.recent.find(({ playlistName }) => playlistName === findsName);
  const existing = used?.playlistId ?? (await findFindsPlaylist(spotify, turn.checkTime));
  if (existing) return existing;
  turn.isWriting = true;
  const created = await spotify.createPlaylist(findsName);
  turn.isWriting = false;
  turn.hasMade = true;
  return created;
}

async function findFindsPlaylist(
  spotify: PlaylistServices["spotify"],
  checkTime: Turn["checkTime"],
): Promise<string | null> {
  let offset: number | null = 0;
  for (let page = 0; page < maxPages && offset !== null; page += 1) {
    const { playlists, nextOffset } = await spotify.ownPlaylists(offset);
    const own = findsAmong(playlists);
    if (own) return own.id;
    offset = nextOffset;
    checkTime();
  }
  return null;
}

async function addOnce(spotify: PlaylistServices["spotify"], turn: Turn, playlistId: string) {
  const { track, recent } = turn;
  // Two songs can have one track.
  const isRecent = recent
    .filter(isTrack)
    .some(
      ({ trackId, isrc, ...add }) =>
        add.playlistId === playlistId && isSameTrack({ trackIds: [trackId], isrc }, track),
    );
  if (isRecent) return "again";
  if (await spotify.playlistHolds(playlistId, track)) return "again";
  turn.checkTime();
  turn.isWriting = true;
  return spotify.addToPlaylist(playlistId, track.trackId);
}
