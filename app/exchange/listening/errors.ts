import { songErrors } from "~/sources/song";

export const listenErrors = {
  ...songErrors,
  ownSong: "This is your own song. Only others can rate it.",
  alreadyRated: "You have already rated this song.",
  passed: "You passed on this song, so it does not come back to you.",
  ratedThrough: "This song has all its ratings by now. Please choose another one.",
  resting: "This song does not play at the moment. Please choose another one.",
  withdrawn: "The owner of this song has taken it out of the rotation. Please choose another one.",
  notCounted:
    "This rating was not counted: you have already rated the song, or you have started another one since.",
  fullFromHere:
    "Enough people where you are have rated this song, so the other ratings come from elsewhere. Please choose another one.",
  roundOver: "Your round is over for this song, so this rating was not counted.",
  noListen: "Please listen to this song first. Then you can rate it.",
} as const;
