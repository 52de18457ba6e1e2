import type { Judgement } from "./listening";

/** Texts for a refused listen or rating. */
export const listenErrors = {
  noSong:
    "This song is not here any more. Its owner may have taken it back. Please choose another one.",
  ownSong: "This is your own song. Only others can rate it.",
  alreadyRated: "You have already rated this song.",
  passed: "You have passed on this song. It does not come back to you.",
  notInPackage:
    "This song is not one of those you can rate right now. Please go back to the carousel.",
  ratedThrough:
    "This song has received all its ratings in the meantime. Please choose another one.",
  resting:
    "This song is resting because Spotify does not play it at the moment. Please choose another one.",
  withdrawn:
    "This song is not in the rotation any more, because its owner has taken it out. Please choose another one.",
  refused:
    "Spotify does not play this song where you are. It is not your fault and costs you nothing. Please choose another one.",
  unconfirmed: "Spotify cannot tell us right now what is playing. Please try again in a moment.",
  limited:
    "Spotify is asking us to slow down. What you have heard still counts. Please try again in a moment.",
  notCounted:
    "This rating was not counted: you have already rated the song, or you have started another one since.",
  noListen: "Please play this song first. It can be rated once you have listened to it.",
  notAllowed: "Spotify did not let us see what is playing. Please log in again and play the song.",
  noDevice:
    "The player was not ready, and Spotify is not open anywhere else. Please go back and press PLAY SONG again, or open your Spotify app and start any song there first.",
  premiumRequired: "Spotify plays songs on demand only for Spotify Premium members.",
  playbackFailed: "Error starting playback. Please try again.",
} as const;

/** Texts for a song that was not heard long enough. */
export const notHeardErrors: Record<Extract<Judgement, { heard: false }>["why"], string> = {
  early: "You have not listened long enough yet.",
  paused: "Error: Please do not pause the playback.",
  "wrong-song": "Error. The song you should rate is not being played back!",
  "nothing-playing": "Spotify is not playing the song. Please play it again.",
};
