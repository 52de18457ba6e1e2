import type { Score } from "~/exchange/rating/scale";
import type { MailSong } from "./mail";

export interface RatedSong extends MailSong {
  songId: string;
  /** Of the new ratings that the owner may see, newest first. */
  scores: Score[];
  /** Further new ratings, which only Premium shows. */
  hidden: number;
  /** Includes the new ratings, and may exceed `entitled`. */
  received: number;
  entitled: number;
  /** Present if one of the new ratings is the fifth of a submission. */
  result?: MailResult;
}

/** A song's result (rule 29, results), from the ratings that its owner may see. */
export interface MailResult {
  /** In no order of arrival. */
  scores: Score[];
  /** Those that only Premium shows. */
  hidden: number;
  /** "3 of 5 liked it." */
  verdict: string;
  sentences: string[];
}
