import { type Answer, ask, type Caller, type Question, type Surroundings } from "../faults/run";

/**
 * Something that the built Worker does for a person, a service or a job. What it costs is limited
 * (test/worker/cost). If it says what state it leads to, it also has to survive faults at each step
 * (test/worker/operation/faults-*.test.ts).
 */
export interface Action {
  name: string;
  /**
   * Creates everything needed in an empty database.
   * @param musician the user's account at Spotify, which nothing else uses meanwhile.
   */
  prepare(musician: string): Promise<Prepared>;
  /** The status of the response to a program, or of a page; 200 by default. */
  status?: number;
  /** What `state` returns after it was done exactly once. */
  done?: Record<string, unknown>;
  /** Whether it calls outside services, which are then made to fail too. */
  asksOutside?: true;
  /** The format of its errors; by default a page for people and JSON for programs. */
  answers?: "page" | "JSON";
  /** The statuses that it returns if a service fails; by default 502 and 503. */
  outage?: number[];
  /** If it was done but the response was lost, the next attempt may get this error instead. */
  already?: string;
}

export interface Prepared {
  /** Does it; cron jobs and queues get no response. */
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

/** An action with a state, which is tried with faults. */
export type Scenario = Action & { done: Record<string, unknown> };

/** Asks the Worker for something, or posts a form. */
export function asking(path: string, question: Question = {}): Pick<Prepared, "act"> {
  return { act: (around, caller) => ask(around, path, caller, question) };
}
