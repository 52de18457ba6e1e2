/**
 * The D1 session of a request. A page reads from any replica that has all of this browser's writes; what it
 * writes itself, such as a new package, is guarded by the statement that writes it. A POST begins at the
 * primary, because it writes anyway. `bookmark` is D1's, after this browser's last write.
 */
export function openD1Session(
  database: D1Database,
  {
    method,
    readsPrimary,
    bookmark,
  }: { method: string; readsPrimary: boolean; bookmark: string | null },
): DatabaseSession {
  const isRead = (method === "GET" || method === "HEAD") && !readsPrimary;
  const session = database.withSession(
    isRead ? (bookmark ?? "first-unconstrained") : "first-primary",
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
   * The bookmark that the browser's next request must see. Null if nothing was written, so that a late answer
   * does not replace the bookmark of a quicker one.
   */
  written(): string | null;
}
