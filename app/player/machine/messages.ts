import type { DriverFailure, PlaybackTarget, PlayFailure } from "~/player/drivers/driver";

/** The status line's texts. They are part of the product, so changing one is a decision. */
export const messages = {
  ready: "Ready",
  connecting: "Connecting to Spotify...",
  notReady: "Initializing Spotify player. Please wait a moment and try playing a song again.",
  starting: "Loading and starting playback...",
  playing: "Playing...",
  unlocked:
    "Great, now you can rate this song in its box below! Then click 'Play Song' for the next song.",
  paused: "Paused.",
  pausedEarly: "Error: Please do not pause the playback.",
  wrongTrack: "Error. The song you should rate is not being played back!",
  takenOver:
    "Error: Spotify is playing on another device now. Please restart the song to hear it here.",
  otherTab:
    "This song plays in another of your tabs. Listen on there, or play it here from the start.",
  startFailed: "Error starting playback. Please try again.",
  autoplayFailed: "Your browser blocked the sound. Please try again.",
  brokenOff:
    "Error: The connection broke off. What you have heard still counts: please press Resume.",
  confirmDelayed: "We cannot reach Fivefold. Trying again...",
  confirmFailed: "We could not confirm that you heard this song. Please restart it.",
  noPremium:
    "Songs from Spotify play here only with Spotify Premium. Please log in with such an account to hear them.",
  limited: "Error: Spotify is asking us to slow down. Please wait a minute and try again.",
  limitedStart: "Spotify is asking us to slow down. Please wait a moment...",
  openApp: "Songs play on your Spotify app. Open this song there, press play, and come back.",
  noDevice:
    "Error: Spotify is not active on any of your devices, or a private session hides what it plays.",
  undecodable:
    "Your browser cannot play this song. That is not your fault and costs you nothing: choose “I can't rate this”, and it leaves your list.",
  explicit:
    "Error: This song is marked as explicit. If your Spotify hides explicit songs, choose “I can't rate this”. If not, please try again.",
  noControl:
    "Could not control Spotify app. Please open Spotify app and start playing any song, then click Resume Playback below.",
} as const;

export const appMessages = {
  pausedEarly: "Error: Playback Paused",
  wrongTrack: "Wrong song playing! Click Resume Playback below to play the correct song.",
} as const;

/** Replaces title and artists if the track's data cannot be loaded. */
export const trackInfoFailed = "Very quiet Artist - very Quiet song;)";

export const failureMessages: Record<DriverFailure, string> = {
  script: "Failed to load Spotify player. Please refresh the page.",
  initialization: "Error initializing Spotify player. Please refresh the page.",
  authentication: "Error initializing Spotify player. Please refresh the page.",
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

export function messageAt(place: PlaybackTarget, message: keyof typeof appMessages): string {
  return (place === "app" ? appMessages : messages)[message];
}
