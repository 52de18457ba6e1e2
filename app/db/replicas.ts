/**
 * Where a request reads from: a replica that knows all that this browser has written is as good as the
 * primary (D1's Sessions API). What may write begins at the primary, where it ends anyway: what
 * decides over a write is read where it is written.
 * @param bookmark of the last write of this browser, or null.
 */
export function openSession(
  database: D1Database,
  { method }: Pick<Request, "method">,
  bookmark: string | null,
): DatabaseSession {
  const reads = method === "GET" || method === "HEAD";
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
