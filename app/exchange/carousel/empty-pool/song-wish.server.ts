import { and, eq, gt, ne, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { dayMs } from "~/db/rules";
import { outbox, songWishes } from "~/db/schema";
import { openPool, selectPool } from "~/exchange/carousel/pool/pool.server";
import { cooldownText } from "~/members/away";
import { contactAddress } from "~/members/email-preferences.server";
import { fingerprintOf, isSuppressed } from "~/members/suppression.server";
import type { Viewer } from "~/members/viewer.server";
import { type Rejection, reject } from "~/platform/rejection";

const songMailTexts = {
  songsThere: "There are songs to rate right now, in the carousel.",
  noAddress: "We have no e-mail address for you yet. Please add one on your account page first.",
  ended:
    "These e-mails to your address have ended. To get them again, please confirm it on your account page first.",
  justWritten:
    "We have already written to you about new songs in the last 24 hours. Please ask again tomorrow.",
};

/** The statement that reads a user's wish for a mail when there are songs again, if there is one. */
export function selectSongWish(db: Database, userId: string) {
  return db
    .select({ askedAt: songWishes.askedAt })
    .from(songWishes)
    .where(eq(songWishes.userId, userId));
}

/**
 * Records a user's wish for one mail when there are songs to rate again. Asking twice is asking once. It
 * needs an address that has not unsubscribed, nothing to rate right now, and no such mail in the last 24
 * hours: by changing their name at Spotify somebody can empty their pool at will, and the address that then
 * gets mail after mail may be a stranger's.
 * @param options `secret` keys the address's fingerprint; `now` is in epoch milliseconds.
 * @returns null once it is recorded.
 */
export async function askForSongMail(
  db: Database,
  viewer: Viewer,
  options: { secret: string; now: number },
): Promise<Rejection | null> {
  const { userId, address } = viewer;
  if (address === null) return reject(409, songMailTexts.noAddress);
  const { eligible, awayUntil } = openPool(await selectPool(db, userId), viewer, options);
  if (awayUntil !== null) return reject(409, cooldownText(awayUntil));
  if (eligible.length > 0) return reject(409, songMailTexts.songsThere);
  const ended = isSuppressed(await fingerprintOf(options.secret, address), "songs");
  const { now } = options;
  const lastMail = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(
      and(
        eq(outbox.userId, userId),
        eq(outbox.kind, "songs_again"),
        gt(outbox.createdAt, now - dayMs),
        ne(outbox.state, "skipped"),
      ),
    )
    .limit(1);
  const { wishes, mails } = await runBatch(db, {
    wish: insertSelect(db, songWishes, {
      row: { id: crypto.randomUUID(), userId, askedAt: now, lookedAt: now },
      from: sql`FROM users WHERE id = ${userId} AND ${contactAddress} IS NOT NULL AND NOT ${ended}
        AND NOT EXISTS ${lastMail}`,
    }).onConflictDoNothing(),
    wishes: selectSongWish(db, userId),
    mails: lastMail,
  });
  if (wishes.length > 0) return null;
  return reject(409, mails.length > 0 ? songMailTexts.justWritten : songMailTexts.ended);
}

/** The statement that ends a user's wish without a mail: it was taken back, or songs were drawn. */
export function endSongWish(db: Database, userId: string) {
  return db.delete(songWishes).where(eq(songWishes.userId, userId));
}
