import { AddSong } from "./add-song/add-song";
import { NoSongs } from "./carousel/no-songs";
import { GiveReasons } from "./reasons/give-reasons";
import { CountedDown } from "./song-added/counted-down";
import { TakeBack } from "./song-added/take-back";

/** The server has the screens of later-screens.ts at once. In a browser this is undefined. */
export const laterScreens = { AddSong, CountedDown, GiveReasons, NoSongs, TakeBack };
