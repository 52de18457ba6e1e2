import type { Musician } from "./catalogue.ts";

/** A song put up, with what it has received. */
export interface SeedSong {
  id: string;
  owner: Musician;
  trackId: string;
  /** Ratings it has received, in order. */
  ratings: { rater: Musician; score: number; at: number }[];
  submittedAt: number;
}
