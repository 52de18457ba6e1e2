/** The check of the invariants that runs after every worker test (test/worker/setup.ts). */
import { env } from "cloudflare:workers";
import { findViolations, invariants, type Violation } from "./invariants";

const exempt = new Set<string>();

/**
 * Exempts the running test from the named invariants, because its rows are made by hand and break
 * them. All others must still hold.
 * @throws Error if there is no invariant of that name.
 */
export function exemptFromInvariants(...names: string[]): void {
  for (const name of names) {
    if (!invariants.some((invariant) => invariant.name === name)) {
      throw new Error(`There is no invariant called "${name}".`);
    }
    exempt.add(name);
  }
}

/** Ends all exemptions, before the next test. */
export function endExemptions(): void {
  exempt.clear();
}

/** The invariants that the database breaks and that the running test is not exempt from. */
export async function unexpectedViolations(): Promise<Violation[]> {
  const violations = await findViolations(env.DB);
  return violations.filter(({ name }) => !exempt.has(name));
}
