/** The path that a checkout leads back to. The server keeps it, so that it can change while it is open. */
import { sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { subscriptions } from "~/db/schema";
import { viewerIdOf } from "~/members/viewer.server";

/** The query parameter of a page that itself shows what premium has unlocked there. */
const unlocked = "unlocked";

/** The statement that reads the path that a login's latest checkout leads back to. */
export function selectReturnTo(db: Database, loginId: string, now: number) {
  return db
    .select({ returnTo: subscriptions.returnTo })
    .from(subscriptions)
    .where(sql`${subscriptions.userId} = ${viewerIdOf(loginId, now)}`);
}

/** Checks whether a page shows what premium has unlocked, so that the checkout can lead straight to it. */
export function showsUnlocked(path: string): boolean {
  return queryOf(path).has(unlocked);
}

/** The path for a buyer who gave up the checkout: without the parameter. */
export function withoutUnlocked(path: string): string {
  const { pathname, hash } = new URL(path, "https://here.invalid");
  const query = queryOf(path);
  query.delete(unlocked);
  return `${pathname}${query.size > 0 ? `?${query}` : ""}${hash}`;
}

function queryOf(path: string): URLSearchParams {
  return new URL(path, "https://here.invalid").searchParams;
}
