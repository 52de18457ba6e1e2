/** The check of the invariants that runs after every worker test (test/worker/setup.ts). */
import { env } from "cloudflare:workers";
import { findViolations, invariants, type Violation } from "./invariants";

const exempt = new Set<string>();

/** Exempts the running test, because its rows are made by hand and break these invariants. */
export function exemptFromInvariants(...names: string[]): void {
  for (const name of names) {
    if (!invariants.some((invariant) => invariant.name === name)) {
      throw new Error(`There is no invariant called "${name}".`);
    }
    exempt.add(name);
  }
}

export function endExemptions(): void {
  exempt.clear();
}

/** The invariants that the database breaks and that the running test is not exempt from. */
export async function unexpectedViolations(): Promise<Violation[]> {
  const violations = await findViolations(env.DB);
  return violations.filter(({ name }) => !exempt.has(name));
}
