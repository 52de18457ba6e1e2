/** What people read who look for a song of theirs in vain, or have pasted something else. */
export const choosingErrors = {
  noSong: "Spotify has no such song. Please search for it by name.",
  search: "Spotify could not be searched right now. Please try again in a moment.",
  track: "Spotify is not answering right now. Please try again in a moment.",
  shortLink:
    "This short link could not be followed right now. Open it in Spotify and copy the song's own link there, or search for it by name.",
  foreign:
    "This link does not lead to a song at Spotify. Paste a song's link from there, or search for it by name.",
} as const;

const containers: Record<string, string> = {
  album: "an album",
  playlist: "a playlist",
  artist: "an artist",
};

/** What people read whose link leads to something else at Spotify than a song, in Spotify's word for it. */
export function otherLinkText(what: string): string {
  const container = Object.hasOwn(containers, what) ? containers[what] : null;
  return container
    ? `This link leads to ${container}. Open it and choose a song there, or search for the song by name.`
    : "This link leads to something else at Spotify than a song. Please search for the song by name.";
}
