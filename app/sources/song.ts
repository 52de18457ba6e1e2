import type { Track } from "~/sources/spotify/client/track";

interface Tinted {
  /** The colour of its cover (app/covers/tint.ts); null until it is read. */
  tint: number | null;
}

type OfItsSource = "trackId" | "spotifyUrl" | "isrc";

export interface SpotifySong extends Track, Tinted {}

/** A file of its owner's: it has no track, no link to it and no code. */
export interface OwnRecording extends Omit<Track, OfItsSource>, Tinted, Record<OfItsSource, null> {}

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
