import { insert } from "./factories";

interface Figures {
  songs_rated_this_week: number;
  promises_kept: number;
  half_within_ms: number;
  most_within_ms: number;
  ratings: number;
  liked: number;
}

/** The community's figures as computed a moment ago; those that are not given are 0. */
export async function makeCommunity(figures: Partial<Figures>): Promise<void> {
  const none = { songs_rated_this_week: 0, promises_kept: 0, half_within_ms: 0, most_within_ms: 0 };
  const row = { id: 1, computed_at: Date.now(), ...none, ratings: 0, liked: 0, ...figures };
  await insert("community_figures", row).run();
}
