import { comparable } from "~/platform/comparable";

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
 * A test for songs that credit the listener (rule 6): by Spotify's id of the artist, or by the same name
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
