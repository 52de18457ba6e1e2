/** Texts for a song that cannot be found, and for a link that leads elsewhere. */
export const choosingErrors = {
  noSong: "Spotify has no such song. Please search for it by name.",
  noAlbum: "Spotify has no such album. Please search for the song by name.",
  noArtist: "Spotify has no such artist. Please search for the song by name.",
  search: "Spotify could not be searched right now. Please try again in a moment.",
  track: "Spotify is not answering right now. Please try again in a moment.",
  shortLink:
    "This short link could not be followed right now. Open it in Spotify and copy the song's own link there, or search for it by name.",
  foreign:
    "This link does not lead to a song at Spotify. Paste a song's link from there, or search for it by name.",
} as const;

/** The text for a link to something else at Spotify than a song, by Spotify's word for that. */
export function otherLinkText(what: string): string {
  return what === "playlist"
    ? "This link leads to a playlist. Open it and choose a song there, or search for the song by name."
    : "This link leads to something else at Spotify than a song. Please search for the song by name.";
}
