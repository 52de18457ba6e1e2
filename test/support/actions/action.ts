import { type Answer, ask, type Caller, type Question, type Surroundings } from "../faults/run";

/** Something that the Worker does. Its cost is limited; if it has `done`, it is also tried with faults. */
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
}

export interface Prepared {
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

export function asking(path: string, question: Question = {}): Pick<Prepared, "act"> {
  return { act: (around, caller) => ask(around, path, caller, question) };
}
