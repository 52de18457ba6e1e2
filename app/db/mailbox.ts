import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** `mailboxOf` (app/members/mail-address.ts), of an address that is stored. */
export function mailboxIn(address: SQLWrapper): SQL<string> {
  const own = sql`lower(${address})`;
  const end = sql`iif(instr(${own}, '+') > 1, instr(${own}, '+'), instr(${own}, '@'))`;
  const local = sql`substr(${own}, 1, ${end} - 1)`;
  const host = sql`substr(${own}, instr(${own}, '@'))`;
  const joined = sql`iif(${host} IN ('@gmail.com', '@googlemail.com'), replace(${local}, '.', '') || '@gmail.com'`;
  return sql<string>`${joined}, ${local} || ${host})`;
}
