import type { Made } from "./made";

/** A track of Spotify's. */
export interface Track {
  trackId: string;
  title: string;
  artists: string[];
  album: string;
  artUrl: string | null;
  /** By width, usually 64 and 300 pixels. */
  smallerArt: Record<number, string>;
  durationMs: number;
  /** As `recordingCode` writes it; the same for all copies of a recording. */
  isrc: string | null;
  spotifyUrl: string;
  /** Spotify hides explicit tracks from accounts that are set so. */
  explicit: boolean;
}

export type TrackInfo = Pick<Track, "title" | "artists" | "artUrl">;

/** What neither Spotify nor a file says. */
interface Stored {
  /** The colour of its cover (app/covers/tint.ts); null until it is read. */
  tint: number | null;
  made: Made;
}

type OfItsSource = "trackId" | "spotifyUrl" | "isrc";

export interface SpotifySong extends Track, Stored {}

/** A file of its owner's: it has no track, no link to it and no code. */
export interface OwnRecording extends Omit<Track, OfItsSource>, Stored, Record<OfItsSource, null> {}

export type Song = SpotifySong | OwnRecording;

export type SourceName = "spotify" | "files";

/** What is asked of a song by the source that it has, is kept as a Record of these, so that none is forgotten. */
export function sourceOf(song: Pick<Song, "trackId"> | Pick<Song, "spotifyUrl">): SourceName {
  const mark = "trackId" in song ? song.trackId : song.spotifyUrl;
  return mark === null ? "files" : "spotify";
}

type Read = Pick<Song, OfItsSource>;

/** A song as it was read. The database has both id and link, or neither and no code. */
export function toSong<Row extends Read>(
  row: Row,
): Omit<Row, OfItsSource> & (Pick<SpotifySong, OfItsSource> | Pick<OwnRecording, OfItsSource>) {
  return row as never;
}

/** The same row where it is of a track. */
type AsTrack<Known> = Known & { [Field in keyof Known & ("trackId" | "spotifyUrl")]: string };

export function isTrack<Known extends Pick<Song, "trackId">>(song: Known): song is AsTrack<Known> {
  return sourceOf(song) === "spotify";
}

/** Why nothing can be done with a song. */
export const songErrors = {
  noSong: "This song is not here any more. Its owner may have taken it back. Choose another one.",
  notInPackage: "You cannot rate this song right now. Go back to the carousel.",
} as const;

/**
 * Spotify may play a relinked copy under another id, so either id or the recording code must agree. What has
 * neither is no track of Spotify's.
 */
export function isSameTrack(
  playback: { trackIds: string[]; isrc: string | null },
  track: Pick<Song, "trackId" | "isrc">,
): boolean {
  if (track.trackId !== null && playback.trackIds.includes(track.trackId)) return true;
  return track.isrc !== null && playback.isrc === track.isrc;
}
