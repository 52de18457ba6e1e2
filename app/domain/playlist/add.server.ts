import { lacksPermission, type Spotify, SpotifyError } from "~/adapters/spotify/spotify";
import type { Track } from "~/adapters/spotify/track";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { listenErrors } from "~/domain/listening/errors";
import { isRefusal, type Refusal, refuse } from "~/domain/refusal";
import { refuseAsSpotify } from "~/domain/refused-by-spotify.server";
import { forgetPlaylistGrant } from "~/domain/session/sessions.server";
import type { Viewer, ViewerSession } from "~/domain/session/viewer.server";
import { logEvent } from "~/platform/log";
import {
  forgetPlaylist,
  giveBackLease,
  rememberAdd,
  selectAdds,
  selectRatedSong,
  takeLease,
} from "./adds.server";
import { findsAmong, findsKey, findsName } from "./finds";
import { playlistTexts } from "./texts";

/** After this long a press that has not ended is taken to have died, in milliseconds. */
const leaseMs = 60_000;
/** So long Spotify may be read before something is written, which may take as long as is left of the lease. */
const maxReadMs = 20_000;
/** How often to look whether the press before has ended, and how many times. */
const pollIntervalMs = 500;
const maxPolls = 20;
/** For so long Spotify's lists may lack what was just added or made, in milliseconds. */
const settlingMs = 60_000;
/** Pages of playlists in which "Fivefold finds" is looked for. */
const maxPages = 20;

/** What putting a song into a playlist works with. */
export interface PlaylistServices {
  db: Database;
  /** Spotify on behalf of the viewer. */
  spotify: Pick<Spotify, "ownPlaylists" | "createPlaylist" | "playlistHolds" | "addToPlaylist">;
  /** Epoch milliseconds. */
  now(): number;
}

/** A press as the viewer means it. */
export interface AddRequest {
  songId: string;
  /** Spotify's id of the playlist, or `findsKey`. */
  playlist: string;
  /** What the list calls it; for the viewer alone. */
  name: string;
}

/** Where the song is now. */
export interface Added {
  ok: true;
  playlistId: string;
  /** It was there before. */
  again: boolean;
}

/**
 * Puts a song that the viewer has rated into a playlist of theirs (rule 21), once: presses of
 * one user wait for each other, and a playlist that holds the track already is left as it is. Where
 * Spotify's answer is lost, the next press finds the track there. "Fivefold finds" is made if the
 * viewer has none. A rating "Added to my playlist!" remembers that it is true. Two round trips.
 * @returns "permission" if the viewer has not given the permission, or has taken it back.
 */
export async function addToPlaylist(
  services: PlaylistServices,
  { userId, session }: Viewer,
  asked: AddRequest,
): Promise<Added | "permission" | Refusal> {
  const { db, now } = services;
  const { songId } = asked;
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
    if (!song) return refuse(404, listenErrors.noSong);
    if (song.ratedAt === null) return refuse(409, playlistTexts.notRated);
    if (taken.length > 0) {
      const checkTime = () => {
        if (now() > at + maxReadMs) throw new SpotifyError(0, "Spotify was too slow");
      };
      const turn = { userId, session, until, checkTime, track: song, recent };
      return underLease(services, turn, asked);
    }
  }
  return refuse(409, playlistTexts.busy);
}

/** A press whose turn it is. */
interface Turn {
  userId: string;
  session: ViewerSession;
  /** The lease that it holds. */
  until: number;
  /** @throws SpotifyError if what is written now might arrive after the lease. */
  checkTime(): void;
  track: Pick<Track, "trackId" | "isrc">;
  /** What was put into playlists just before. */
  recent: { songId: string; playlistId: string; playlistName: string }[];
}

async function underLease(
  services: PlaylistServices,
  turn: Turn,
  asked: AddRequest,
): Promise<Added | "permission" | Refusal> {
  const { db, now } = services;
  const { userId, until } = turn;
  const giveBack = giveBackLease(db, userId, until);
  let playlistId: string | null = asked.playlist === findsKey ? null : asked.playlist;
  try {
    playlistId ??= await findOrMakeFinds(services, turn);
    const outcome = await addOnce(services.spotify, turn, { ...asked, playlistId });
    if (isRefusal(outcome)) {
      await giveBack;
      return outcome;
    }
    if (outcome === "added" || outcome === "again") {
      const playlistName = asked.playlist === findsKey ? findsName : asked.name;
      const add = { userId, songId: asked.songId, playlistId, playlistName, now: now() };
      await runBatch(db, { add: rememberAdd(db, add), giveBack });
      logEvent("playlist_added", { kind: outcome });
      return { ok: true, playlistId, again: outcome === "again" };
    }
    const forget = outcome === "gone" ? forgetPlaylist(db, userId, playlistId) : null;
    await runBatch(db, { giveBack, forget });
    return refuse(409, playlistTexts[outcome]);
  } catch (error) {
    if (lacksPermission(error)) {
      await runBatch(db, { giveBack, forget: forgetPlaylistGrant(db, turn.session) });
      return "permission";
    }
    await giveBack;
    if (!(error instanceof SpotifyError)) throw error;
    return refuseAsSpotify(error, playlistTexts.notAdded);
  }
}

/** The id of the viewer's "Fivefold finds": the one just used, or one of theirs, or a new one. */
async function findOrMakeFinds(
  { spotify }: PlaylistServices,
  { recent, checkTime }: Turn,
): Promise<string> {
  const used = recent.find(({ playlistName }) => playlistName === findsName);
  if (used) return used.playlistId;
  let offset: number | null = 0;
  for (let page = 0; page < maxPages && offset !== null; page += 1) {
    const { playlists, nextOffset } = await spotify.ownPlaylists(offset);
    const own = findsAmong(playlists);
    if (own) return own.id;
    offset = nextOffset;
    checkTime();
  }
  return spotify.createPlaylist(findsName);
}

async function addOnce(
  spotify: PlaylistServices["spotify"],
  { track, recent, checkTime }: Turn,
  { songId, playlistId }: { songId: string; playlistId: string },
) {
  const isRecent = recent.some((add) => add.songId === songId && add.playlistId === playlistId);
  if (isRecent) return "again";
  if (await spotify.playlistHolds(playlistId, track)) return "again";
  checkTime();
  try {
    return await spotify.addToPlaylist(playlistId, track.trackId);
  } catch (error) {
    const isLost = error instanceof SpotifyError && (error.status === 0 || error.status >= 500);
    if (!isLost) throw error;
    return refuse(503, playlistTexts.unsure);
  }
}
