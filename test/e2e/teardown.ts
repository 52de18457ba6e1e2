import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { unexpectedServerErrors } from "./support/complaints.ts";

/**
 * After the last test the database must still hold what always has to hold, and the
 * server must have logged no error but those that tests are about.
 */
export default function checkRun(): void {
  const script = join(import.meta.dirname, "../support/database/check-invariants.ts");
  const check = spawnSync("node", [script], {
    encoding: "utf8",
    env: { ...process.env, STATE_DIR: process.env.E2E_STATE_DIR },
  });
  if (check.status !== 0) throw new Error(`Invariants are broken.\n${check.stdout}${check.stderr}`);
  const errors = unexpectedServerErrors();
  if (errors.length > 0) throw new Error(`The server has logged errors.\n${errors.join("\n")}`);
}
