import type { Measured } from "../../support/measure";

/** Something whose cost is measured. */
export interface Run {
  name: string;
  /** What it must end in, so that nothing is measured that failed on the way. */
  outcome: string;
  run(musician: string): Promise<Measured>;
}
