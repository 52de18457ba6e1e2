import type { RequestContext } from "./context.server";
import { sessionCookie } from "./cookies.server";

/**
 * The headers that make a browser forget its login: the session cookie, and everything that this site has
 * stored. Clear-Site-Data does not name "cookies", which would also delete those of every other site under
 * the same registrable domain.
 */
export async function logoutHeaders({ config }: RequestContext): Promise<Record<string, string>> {
  return {
    "Set-Cookie": await sessionCookie(config.sessionSecret).clear(),
    "Clear-Site-Data": '"cache", "storage"',
  };
}
