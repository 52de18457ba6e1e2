import type { RequestContext } from "./context.server";
import { sessionCookie } from "./cookies.server";

/**
 * The headers of an answer that ends the login of the browser that asks. It forgets the session cookie
 * and everything that this site has stored in it. "cookies" is not among that: it would take along
 * those of every other site under the same registrable domain, and our own need no help.
 */
export async function logoutHeaders({ config }: RequestContext): Promise<Record<string, string>> {
  return {
    "Set-Cookie": await sessionCookie(config.sessionSecret).clear(),
    "Clear-Site-Data": '"cache", "storage"',
  };
}
