/** The names and ids by which a song can credit a listener. */
export interface Listener {
  /** At Spotify. */
  displayName: string;
  /**
   * The main artist of each song that the listener has submitted, the name by Spotify's id. Only the first
   * artist of a song counts. The others are its guests, whose own songs are not the listener's. Where the
   * listener is the guest, the main artist is somebody they make music with, and the listener's own songs
   * are known by the name.
   */
  ownArtists: Readonly<Record<string, string>>;
}

/** The artists that a song credits. */
export interface Credits {
  artists: string[];
  /** In the order of `artists`; null or missing where Spotify's id is not known. */
  artistIds: (string | null)[];
}

/**
 * A test for songs that credit the listener as an artist, first or last: by Spotify's id of the artist, or
 * by the same name where no id decides. A namesake is told apart by the id, once the listener has submitted
 * a song under that name.
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

/** A name in a form to compare, without letter case, width and extra spaces. */
export function comparable(name: string): string {
  // Unicode's compatibility caseless matching (3.13, D146); one round leaves rare letters apart.
  const once = folded(name.normalize("NFD")).normalize("NFKD");
  return folded(once).normalize("NFKD").trim().replace(/\s+/g, " ");
}

/** To upper case first, which turns "ß" into "SS". */
function folded(text: string): string {
  return text.toUpperCase().toLowerCase();
}
