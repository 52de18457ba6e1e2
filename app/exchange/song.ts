import type { Track } from "~/spotify/track";

/** A track of Spotify's or, where `trackId` is null, an own recording, which has no link there. */
export interface Song extends Omit<Track, "trackId" | "spotifyUrl"> {
  trackId: string | null;
  spotifyUrl: string | null;
  /** The colour of its cover (app/covers/tint.ts); null until it is read. */
  tint: number | null;
}

/** The same song where it is a track. The database has both id and link, or neither. */
type AsTrack<Known> = Known & { [Field in keyof Known & ("trackId" | "spotifyUrl")]: string };

export function isTrack<Known extends Pick<Song, "trackId">>(song: Known): song is AsTrack<Known> {
  return song.trackId !== null;
}
