import type { Answer, Caller, Surroundings } from "./run";

/** Something that a person, a service or a clock makes the Worker do, for faults at each of its steps. */
export interface Scenario {
  name: string;
  /** Whether outside services are asked, which then are let fail, too. */
  asksOutside?: true;
  /**
   * Makes all that it takes, in an empty database.
   * @param musician who the user is at Spotify; nobody else's while it runs.
   */
  prepare(musician: string): Promise<Prepared>;
  /** What `state` tells when it was done, once and not twice. */
  done: Record<string, unknown>;
  /** How it says no to whoever asks, where that is not by a page to people and JSON to programs. */
  answers?: "page" | "JSON";
  /** The statuses that tell of a service's fault, where they are not 502 and 503. */
  outage?: number[];
  /** Where it had been done and the answer was lost, who presses again may read this instead. */
  already?: string;
}

export interface Prepared {
  /** The request; a clock's or a queue's work has no answer. */
  act(around: Surroundings, caller: Caller): Promise<Answer | undefined>;
  /** How it is tried again, where that is not the very same request. */
  again?(around: Surroundings, caller: Caller): Promise<Answer | undefined>;
  state(): Promise<Record<string, unknown>>;
  /** What is in an answer that worked; of the rest the status speaks. */
  shows?: RegExp;
  /** What is in a page that goes without the service that failed. */
  without?: RegExp;
  /** What must not be lost, whatever fails. */
  kept?(): Promise<boolean>;
}
