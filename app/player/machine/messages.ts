import type { DriverFailure, PlayFailure } from "~/player/drivers/driver";

/** The status line's texts. They are part of the product, so changing one is a decision. */
export const messages = {
  ready: "Ready",
  connecting: "Connecting to Spotify...",
  waiting: "Spotify is getting ready. The song starts by itself.",
  notReady: "Spotify is not ready yet. Try again in a minute.",
  starting: "Loading and starting playback...",
  playing: "Playing...",
  unlocked:
    "Great, now you can rate this song in its box below! Then click 'Play Song' for the next song.",
  paused: "Paused.",
  pausedEarly: "The song was paused too early. Resume, and your time goes on.",
  wrongTrack: "Another song is playing. Go back to yours to rate it.",
  takenOver: "Spotify plays on another device now, and you can go on here.",
  lost: "The connection to Spotify is gone, and you can go on here.",
  offline: "You are offline. Your song can go on once you are back.",
  otherTab:
    "This song plays in another of your tabs. Listen on there, or play it here from the start.",
  startFailed: "The song did not start. Try again.",
  autoplayFailed: "Your browser held the sound back. Play it once more.",
  brokenOff: "The connection broke off. What you have heard still counts: press Resume.",
  confirmDelayed: "We cannot reach Fivefold. Trying again...",
  confirmFailed: "We could not tell that you heard this song. Play it once more.",
  noPremium:
    "Songs from Spotify play here only with Spotify Premium. Log in with such an account to hear them.",
  limited: "Spotify asks us to slow down. Try again in a minute.",
  limitedStart: "Spotify asks us to slow down. The song starts by itself.",
  openApp: "Songs play on your Spotify app. Open this song there, press play, and come back.",
  noDevice: "Spotify is not open on any of your devices, or a private session hides what it plays.",
  undecodable:
    "Your browser cannot play this song. That is not your fault and costs you nothing: choose “I can't rate this”, and it leaves your list.",
  explicit:
    "This song is marked as explicit. If your Spotify hides explicit songs, choose “I can't rate this”. If not, try again.",
  noControl: "Your Spotify app does not answer. Play any song there, then press Resume Playback.",
} as const;

/** Replaces title and artists if the track's data cannot be loaded. */
export const trackInfoFailed = "Very quiet Artist - very Quiet song;)";

const notStarted = "Spotify did not start here. Reconnect, or load this page again.";

export const failureMessages: Record<DriverFailure, string> = {
  script: notStarted,
  initialization: notStarted,
  authentication: notStarted,
  account: messages.noPremium,
};

export const playFailureMessages: Record<PlayFailure, string> = {
  failed: messages.startFailed,
  "no-premium": messages.noPremium,
  "no-device": messages.openApp,
  "no-control": messages.noControl,
  limited: messages.limited,
  undecodable: messages.undecodable,
  cancelled: messages.startFailed,
};
