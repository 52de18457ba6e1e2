import { integer, text } from "drizzle-orm/sqlite-core";

/** A primary key made by the application, as a rule a random UUID. */
export function id() {
  return text("id").primaryKey();
}

/** A point in time as integer epoch milliseconds. */
export function time(name: string) {
  return integer(name);
}

/** A boolean, stored as 0 or 1. */
export function flag(name: string) {
  return integer(name, { mode: "boolean" });
}
