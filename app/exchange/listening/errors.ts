import { songErrors } from "~/sources/song";

export const listenErrors = {
  ...songErrors,
  ownSong: "This is your own song. Only others can rate it.",
  alreadyRated: "You have already rated this song.",
  passed: "You passed on this song, so it does not come back to you.",
  ratedThrough: "This song has all its ratings by now. Choose another one.",
  resting: "This song does not play at the moment. Choose another one.",
  withdrawn: "The owner of this song has taken it out of the rotation. Choose another one.",
  notCounted:
    "This rating was not counted: you have already rated the song, or you have started another one since.",
  fullFromHere:
    "Enough people where you are have rated this song, so the other ratings come from elsewhere. Choose another one.",
  roundOver: "Your round is over for this song, so this rating was not counted.",
  noListen: "Listen to this song first. Then you can rate it.",
} as const;
