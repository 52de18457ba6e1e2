/** What tells which artists a listener is. */
export interface Listener {
  /** At Spotify. */
  displayName: string;
  /**
   * The main artist of each song that the listener has submitted, the name by Spotify's id. The first
   * artist alone: that is whose song it is. The others are guests on it, and the songs of somebody's
   * well-known guest are nothing that they have to do with. Where the listener is the guest, the main
   * artist is somebody they make music with, and the listener's own songs go by the name.
   */
  ownArtists: Readonly<Record<string, string>>;
}

/** Whom a song credits. */
export interface Credits {
  artists: string[];
  /** In the order of `artists`; null or missing where Spotify's id is not known. */
  artistIds: (string | null)[];
}

/**
 * The test of whether a song credits the listener as an artist, first or last: by Spotify's id of the
 * artist or, where no id can tell, by the very name. A namesake is told apart once the listener has
 * submitted a song under that name, by the id that it has.
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

/** A name without what no reader sees as a difference: letter case, width, and how it is spaced. */
export function comparable(name: string): string {
  // Unicode's compatibility caseless matching (3.13, D146); one round leaves rare letters apart.
  const once = folded(name.normalize("NFD")).normalize("NFKD");
  return folded(once).normalize("NFKD").trim().replace(/\s+/g, " ");
}

/** To upper case first, which turns "ß" into "SS". */
function folded(text: string): string {
  return text.toUpperCase().toLowerCase();
}
