import type { DatabaseAndClock } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { retentionDays } from "~/db/periods";
import { forgetPlaylistGrant } from "~/login/sessions.server";
import type { Viewer } from "~/members/viewer.server";
import { dayMs } from "~/platform/dates";
import { type Rejection, reject } from "~/platform/rejection";
import type { SpotifySong } from "~/sources/song";
import { isTrack, songErrors } from "~/sources/song";
import { lacksPermission, type OwnPlaylist, SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { refuseAsSpotify } from "~/sources/spotify/failure.server";
import { playlistTexts, selectAdds, selectRatedSong } from "./adds.server";
import { findsAmong, findsName } from "./finds";

export interface ChoiceRequest {
  songId: string;
  /** The playlist into which a press has just put the song. */
  added: string | null;
  from: number;
}

export interface OfferedPlaylist extends OwnPlaylist {
  /** The song was put into it in the last day. */
  holds: boolean;
}

export interface Choice {
  finds: OfferedPlaylist | null;
  playlists: OfferedPlaylist[];
  from: number;
  next: number | null;
}

/** One of `added`, `choice` and `problem`, or none if the permission is missing. */
export interface ChoosablePlaylists {
  songId: string;
  track: SpotifySong;
  ratedAt: number;
  added: { id: string; name: string; url: string } | null;
  choice: Choice | null;
  problem: string | null;
}

/**
 * The page on which a rated song is put into a playlist. Spotify is asked for one page of playlists if the
 * permission is there.
 */
export async function loadPlaylistPage(
  {
    db,
    now,
    spotify,
    openUrl,
  }: DatabaseAndClock & { spotify: Pick<Spotify, "ownPlaylists">; openUrl: string },
  { userId, session }: Viewer,
  { songId, added, from }: ChoiceRequest,
): Promise<ChoosablePlaylists | Rejection> {
  const at = now();
  const {
    song: [song],
    adds,
  } = await runBatch(db, {
    song: selectRatedSong(db, userId, songId),
    adds: selectAdds(db, userId, at - retentionDays.playlistAdds * dayMs),
  });
  if (!song) return reject(404, songErrors.noSong);
  if (!isTrack(song)) return reject(409, playlistTexts.notAtSpotify);
  const { ratedAt, ...track } = song;
  if (ratedAt === null) return reject(409, playlistTexts.notRated);
  const addsOfSong = adds.filter((add) => add.songId === songId);
  const justAdded = addsOfSong.find(({ playlistId }) => playlistId === added);
  const page = {
    songId,
    track,
    ratedAt,
    added: justAdded
      ? {
          id: justAdded.playlistId,
          name: justAdded.playlistName,
          url: `${openUrl}/playlist/${justAdded.playlistId}`,
        }
      : null,
    choice: null,
    problem: null,
  };
  if (justAdded || !session.spotify?.mayAddToPlaylists) return page;
  try {
    const { playlists, nextOffset } = await spotify.ownPlaylists(from);
    const offered = playlists.map((playlist) => ({
      ...playlist,
      holds: addsOfSong.some(({ playlistId }) => playlistId === playlist.id),
    }));
    const finds = findsAmong(offered);
    const others = offered.filter(({ name }) => name !== findsName);
    return { ...page, choice: { finds, playlists: others, from, next: nextOffset } };
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    if (lacksPermission(error)) {
      await forgetPlaylistGrant(db, session.spotify);
      return page;
    }
    return { ...page, problem: refuseAsSpotify(error, playlistTexts.unread).error };
  }
}
