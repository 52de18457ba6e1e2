import { PlayerBar } from "./player-bar";
import { PlayerDialog } from "./player-dialog";

/** Seldom shown on the carousel, so not among its scripts. In one file: each alone would split what all share. */
export const late = { PlayerBar, PlayerDialog };
