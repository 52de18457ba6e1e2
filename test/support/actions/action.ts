import type { RateLimiters } from "~/platform/env";
import type { TestUser } from "../database/factories";
import { type Answer, ask, type Caller, type Question, type Surroundings } from "../faults/run";

/** A status, and the words that programs and people read. */
export type Says = readonly [status: number, words: string];

/** "nothing" means anybody, if it is done to what does not exist. */
type Whom = "nobody" | "a stranger" | "the owner" | "nothing";

/**
 * Something that the Worker does. Its cost is limited; if it has `done`, it is also tried with faults; if it has
 * `limit`, test/worker/http/actions.test.ts tries it with all that is to be refused.
 */
export interface Action {
  name: string;
  /** Creates everything needed in an empty database, for a musician whom nothing else uses. */
  prepare(musician: string): Promise<Prepared>;
  /** The status of the response to a program, or of a page; 200 by default. */
  status?: number;
  done?: Record<string, unknown>;
  asksOutside?: true;
  answers?: "page" | "JSON";
  outage?: number[];
  /** If it was done but the response was lost, the next attempt may get this error instead. */
  already?: string;
  limit?: keyof RateLimiters;
  /** It is a POST by default. */
  method?: "GET";
  /** To whom it is refused, beside other sites. */
  refusedTo?: Partial<Record<Whom, Says>>;
  /** What it says to other forms. */
  refuses?: [says: Says, forms: Record<string, string>[]];
  /** Mail clients post from wherever they run. */
  fromAnywhere?: true;
  /** The pages that have its form, with ":id" for the song's or upload's. */
  formsOn?: string[];
}

export function forMembers(
  limit: keyof RateLimiters,
  others: Action["refusedTo"] = {},
): Pick<Action, "limit" | "refusedTo"> {
  return { limit, refusedTo: { nobody: [401, "Please log in with Spotify first"], ...others } };
}

export function toOthers(says: Says): Action["refusedTo"] {
  return { "a stranger": says, nothing: says };
}

export interface Prepared {
  /** What `act` sends. */
  asked?: Question & { path: string };
  /** What it is about, if its own path does not say so. */
  id?: string;
  /** Whose song it is done to, if that is somebody else's. */
  owner?: TestUser;
  act(around: Surroundings, caller: Caller): Promise<Answer | undefined>;
  /** Tries it again, if that is not the same as `act`. */
  again?(around: Surroundings, caller: Caller): Promise<Answer | undefined>;
  state?(): Promise<Record<string, unknown>>;
  /** The text of a successful response, if the status is not enough. */
  shows?: RegExp;
  /** The text of a page that works without the failing service. */
  without?: RegExp;
  /** Whether that which must never be lost is still there. */
  kept?(): Promise<boolean>;
}

export type Scenario = Action & { done: Record<string, unknown> };

export function asking(path: string, question: Question = {}): Pick<Prepared, "act" | "asked"> {
  return {
    act: (around, caller) => ask(around, path, caller, question),
    asked: { path, ...question },
  };
}
