import type { Measured } from "../../support/measure";

/** Something whose cost is measured. */
export interface Run {
  name: string;
  /** The expected outcome, so that the cost of a failure is not measured by mistake. */
  outcome: string;
  run(musician: string): Promise<Measured>;
}
