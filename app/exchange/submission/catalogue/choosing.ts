/** Texts for a song that cannot be found, and for a link that leads elsewhere. */
export const choosingErrors = {
  noSong: "Spotify has no such song. Please search for it by name.",
  noAlbum: "Spotify has no such album. Please search for the song by name.",
  noArtist: "Spotify has no such artist. Please search for the song by name.",
  search: {
    outage: "We could not search Spotify right now. Please try again in a moment.",
    refused: "Spotify does not take this search. Please search for the song by other words.",
  },
  track: {
    outage: "Spotify is not answering right now. Please try again in a moment.",
    refused: "Spotify does not show us this. Please search for the song by name.",
  },
  shortLink: {
    outage:
      "We could not follow this short link right now. Please open it in Spotify and copy the song's link from there, or search for the song by name.",
    refused:
      "We could not follow this short link. Please open it in Spotify and copy the song's link from there, or search for the song by name.",
  },
  foreign:
    "This is not a link to a song on Spotify. Please paste one, or search for the song by name.",
} as const;

/** The text for a link to something else at Spotify than a song, by Spotify's word for that. */
export function otherLinkText(what: string): string {
  return what === "playlist"
    ? "This link leads to a playlist. Open it and choose a song there, or search for the song by name."
    : "This link leads to Spotify, but not to a song. Please search for the song by name.";
}
