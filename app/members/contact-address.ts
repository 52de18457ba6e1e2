import { sql } from "drizzle-orm";
import { users } from "~/db/schema";

/** Their own address, which is confirmed, otherwise Spotify's. */
export const contactAddress = sql<string | null>`coalesce(${users.ownEmail}, ${users.email})`;
