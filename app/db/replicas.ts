/**
 * Where a request reads from: for a page a replica that knows all that this browser has written is as
 * good as the primary (D1's Sessions API); what a page writes by the way, such as a package drawn, is
 * guarded where it is written. What is posted begins at the primary, where it ends anyway, and so
 * does the player's token, which must not be had by a login that was ended.
 * @param bookmark of the last write of this browser, or null.
 */
export function openD1Session(
  database: D1Database,
  { method, url }: Pick<Request, "method" | "url">,
  bookmark: string | null,
): DatabaseSession {
  const reads =
    (method === "GET" || method === "HEAD") && new URL(url).pathname !== "/player/token";
  const session = database.withSession(
    reads ? (bookmark ?? "first-unconstrained") : "first-primary",
  );
  let wrote = false;
  return {
    prepare(sql) {
      wrote ||= !/^\s*select\b/i.test(sql);
      return session.prepare(sql);
    },
    batch: (statements) => session.batch(statements),
    written: () => (wrote ? session.getBookmark() : null),
  };
}

export interface DatabaseSession extends Pick<D1Database, "prepare" | "batch"> {
  /**
   * What the next request has to see: the bookmark after the last write, null where nothing was
   * written. A page that only reads gives none, so that an answer that comes late does not take back
   * what a quicker one has given.
   */
  written(): string | null;
}
