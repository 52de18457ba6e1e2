/** Texts for a song that does not get into a playlist. Nothing was changed then, unless they say so. */
export const playlistTexts = {
  notRated: "You can put a song into a playlist once you have rated it.",
  full: "This playlist is full, so nothing was added. Please choose another one.",
  gone: "This playlist is gone, so nothing was added. Please choose another one.",
  "not yours":
    "This playlist is somebody else's, and you may not add to it, so nothing was added. Please choose another one.",
  busy: "We are still working on your last press. Please try again in a moment.",
  unread: {
    outage: "Spotify is not answering right now. Please try again in a moment.",
    refused: "Spotify did not show us your playlists. Please try again later.",
  },
  notAdded: {
    outage:
      "Spotify is not answering right now, so nothing was added. Please try again in a moment.",
    refused:
      "Spotify did not let us add the song, so nothing was changed. Please choose another playlist, or try again later.",
  },
  unsure:
    "Spotify did not answer, so we cannot tell whether the song was added. Please press again: it is not added twice.",
} as const;
