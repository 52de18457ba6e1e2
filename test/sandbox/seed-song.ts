import type { Musician } from "./catalogue.ts";

/** A submitted song of the seeded database. */
export interface SeedSong {
  id: string;
  owner: Musician;
  trackId: string;
  /** The ratings it has received, oldest first; `at` is in epoch milliseconds. */
  ratings: { rater: Musician; score: number; at: number }[];
  /** Epoch milliseconds. */
  submittedAt: number;
  /** When it was submitted once more, after five ratings; epoch milliseconds. */
  againAt?: number;
}
