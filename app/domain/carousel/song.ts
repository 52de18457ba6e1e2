import type { Track } from "~/domain/track";

/** A song in rotation. */
export interface Song extends Track {
  songId: string;
}
