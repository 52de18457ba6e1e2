import type { DriverFailure } from "~/player/driver";

/** The status line's texts, word for word from spec sections 2, 4 and 8 where it has them. */
export const messages = {
  ready: "Ready",
  notReady: "Initializing Spotify player. Please wait a moment and try playing a song again.",
  starting: "Loading and starting playback...",
  playing: "Playing...",
  unlocked:
    "Great, now you can rate this song in its box below! Then click 'Play Song' for the next song.",
  pausedEarly: "Error: Please do not pause the playback.",
  wrongTrack: "Error. The song you should rate is not being played back!",
  startFailed: "Error starting playback. Please try again.",
  autoplayFailed: "Your browser held back the sound. Please click 'Restart song' to hear it.",
  confirmFailed: "We could not confirm that you heard this song. Please restart it.",
} as const;

/** Stands in for title and artists when the track's data is missing (spec section 8). */
export const trackInfoFailed = "Very quiet Artist - very Quiet song;)";

export const failureMessages: Record<DriverFailure, string> = {
  script: "Failed to load Spotify player. Please refresh the page.",
  initialization: "Error initializing Spotify player. Please refresh the page.",
  authentication: "Error initializing Spotify player. Please refresh the page.",
  account:
    "Spotify plays full songs here for Premium accounts only. Please log in with one to listen and rate.",
};
