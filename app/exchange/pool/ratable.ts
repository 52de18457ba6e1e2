import { comparable } from "~/platform/comparable";

const maxSongsPerUploader = 2;

export interface Listener {
  displayName: string;
  /** The main artist of each song that the listener has submitted, by Spotify's id. Guests do not count. */
  ownArtists: Readonly<Record<string, string>>;
}

export interface Credits {
  artists: string[];
  /** In the order of `artists`; null or missing where Spotify's id is not known. */
  artistIds: (string | null)[];
}

/**
 * A test for songs that credit the listener (rule 6, offered songs): by Spotify's id of the artist, or by the same name
 * where no id decides. Once the listener has submitted a song under that name, the id tells namesakes
 * apart.
 */
export function hasPartIn({ displayName, ownArtists }: Listener): (song: Credits) => boolean {
  const name = comparable(displayName);
  const isIdKnown = Object.values(ownArtists).some((own) => comparable(own) === name);
  return ({ artists, artistIds }) =>
    artists.some((artist, index) => {
      const id = artistIds[index] ?? null;
      if (id !== null && Object.hasOwn(ownArtists, id)) return true;
      if (id !== null && isIdKnown) return false;
      return name !== "" && comparable(artist) === name;
    });
}

export interface PoolSong extends Credits {
  songId: string;
  ownerId: string;
  recording: string;
  /** It has had as many ratings from where the viewer is as may be (rule 45, places). */
  isFull: boolean;
}

export interface SongsLeft {
  /** Songs that the carousel could offer, and recently passed ones. */
  available: number;
  /** Songs that the viewer can rate one after another, an owner's third after the first two. */
  toRate: number;
  /** Recently passed songs, which count however many others are rated. */
  staying: number;
  /** Of `toRate`, those that can be heard in this login; without a number, all. */
  here?: number;
}

function othersSongs<Song extends PoolSong>(
  pool: Song[],
  viewer: Listener & { userId: string },
): Song[] {
  const isCredited = hasPartIn(viewer);
  return pool.filter((song) => song.ownerId !== viewer.userId && !song.isFull && !isCredited(song));
}

/** The songs that a viewer may rate one after another: not theirs, no recording twice. */
export function ratableSongs<Song extends PoolSong>(
  pool: Song[],
  viewer: Listener & { userId: string },
): Song[] {
  const recordings = new Map(othersSongs(pool, viewer).map((song) => [song.recording, song]));
  return [...recordings.values()];
}

/** The songs that the viewer may rate next: no recording twice, at most two of an owner (rule 6, offered songs). */
export function eligibleSongs<Song extends PoolSong>(
  pool: Song[],
  viewer: Listener & { userId: string },
): Song[] {
  const recordings = new Set<string>();
  const perUploader = new Map<string, number>();
  return othersSongs(pool, viewer).filter((song) => {
    const shown = perUploader.get(song.ownerId) ?? 0;
    if (recordings.has(song.recording) || shown >= maxSongsPerUploader) return false;
    recordings.add(song.recording);
    perUploader.set(song.ownerId, shown + 1);
    return true;
  });
}
