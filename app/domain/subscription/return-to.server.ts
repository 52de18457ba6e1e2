/** Where a checkout leads back to. The server remembers it, so that it can change while it is open. */
import { sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { subscriptions } from "~/db/schema";
import { viewerIdOf } from "~/domain/session/viewer.server";

/** The parameter in the query of a page that shows by itself what premium has unlocked there. */
const unlocked = "unlocked";

/** The statement that reads the path that a login's latest checkout leads back to. */
export function selectReturnTo(db: Database, loginId: string, now: number) {
  return db
    .select({ returnTo: subscriptions.returnTo })
    .from(subscriptions)
    .where(sql`${subscriptions.userId} = ${viewerIdOf(loginId, now)}`);
}

/** Whether a page shows what premium has unlocked, so that nothing has to stand between it and the checkout. */
export function showsUnlocked(path: string): boolean {
  return queryOf(path).has(unlocked);
}

/** The page that a buyer who gave up comes back to: nothing is unlocked there. */
export function withoutUnlocked(path: string): string {
  const { pathname, hash } = new URL(path, "https://here.invalid");
  const query = queryOf(path);
  query.delete(unlocked);
  return `${pathname}${query.size > 0 ? `?${query}` : ""}${hash}`;
}

function queryOf(path: string): URLSearchParams {
  return new URL(path, "https://here.invalid").searchParams;
}
