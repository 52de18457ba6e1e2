import { and, eq, gt, ne, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { type Results, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { outbox, songWishes } from "~/db/schema";
import { selectCircle } from "~/exchange/pool/circle.server";
import type { Place } from "~/exchange/pool/place";
import {
  type InLogin,
  type Pool,
  selectPool,
  selectPools,
  toPool,
  toPools,
} from "~/exchange/pool/pool.server";
import { selectOwnSongs } from "~/exchange/submission/limits.server";
import { standingOf } from "~/exchange/submission/standing.server";
import {
  addressTexts,
  fingerprintOf,
  isSuppressed,
  selectSuppressed,
  toSuppressed,
} from "~/mailing/suppression.server";
import { cooldownText } from "~/members/away";
import { contactAddress } from "~/members/contact-address";
import { hearsSpotify } from "~/members/hearing";
import type { Viewer } from "~/members/viewer.server";
import { dayMs } from "~/platform/dates";
import { type Rejection, reject } from "~/platform/rejection";

export interface EmptyPool {
  /** The mail that says when there are songs again; null while there are some, or during the cooldown. */
  mail: SongMail | null;
  obstacle: string | null;
  /** Who was here in the last week, the viewer too. */
  members: number;
}

export interface SongMail {
  address: string | null;
  /** The address has unsubscribed, or mails have come back from there. */
  ended: boolean;
  asked: boolean;
}

const songMailTexts = {
  songsThere: "There are songs to rate right now, in the carousel.",
  ...addressTexts,
  justWritten:
    "We have already written to you about new songs in the last 24 hours. Ask again tomorrow.",
};

export async function selectEmptyPool(
  db: Database,
  { userId, address }: Pick<Viewer, "userId" | "address">,
  { secret, now }: { secret: string; now: number },
) {
  return {
    circle: selectCircle(db, now),
    own: selectOwnSongs(db, userId),
    wishes: selectSongWish(db, userId),
    suppressed: selectSuppressed(db, await fingerprintOf(secret, address)),
  };
}

type Rows = Results<Awaited<ReturnType<typeof selectEmptyPool>>>;

export function toEmptyPool(
  { circle, own, wishes, suppressed }: Rows,
  viewer: Viewer,
  pool: InLogin<Pool>,
  now: number,
): EmptyPool {
  const { address } = viewer;
  return {
    members: circle[0]?.members ?? 0,
    mail:
      pool.eligible.length > 0 || pool.awayUntil !== null
        ? null
        : {
            address,
            ended: toSuppressed(suppressed.map(({ topic }) => topic)).ended.songs,
            asked: wishes.length > 0,
          },
    obstacle: standingOf({ pool, own }, viewer, now).obstacle,
  };
}

export async function loadEmptyPool(
  db: Database,
  viewer: Viewer,
  options: { secret: string; now: number; isSpotifyOpen: boolean; place: Place | null },
): Promise<EmptyPool> {
  const { pools, emptyPool } = await runBatch(db, {
    pools: selectPools(db, viewer.userId, { ...options, hears: hearsSpotify(viewer) }),
    emptyPool: await selectEmptyPool(db, viewer, options),
  });
  return toEmptyPool(emptyPool, viewer, toPools(pools, viewer, options), options.now);
}

export function selectSongWish(db: Database, userId: string) {
  return db
    .select({ askedAt: songWishes.askedAt })
    .from(songWishes)
    .where(eq(songWishes.userId, userId));
}

/**
 * Records a user's wish for one mail when there are songs to rate again. Refuses a second one within 24
 * hours: somebody could empty their pool by changing their name at Spotify, to have a stranger mailed again
 * and again.
 */
export async function askForSongMail(
  db: Database,
  viewer: Viewer,
  options: { secret: string; now: number; place: Place | null },
): Promise<Rejection | null> {
  const { userId, address } = viewer;
  if (address === null) return reject(409, songMailTexts.noAddress);
  const pool = await selectPool(db, userId, {
    hears: hearsSpotify(viewer),
    place: options.place,
  });
  const { eligible, awayUntil } = toPool(pool, viewer, options);
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

export function endSongWish(db: Database, userId: string) {
  return db.delete(songWishes).where(eq(songWishes.userId, userId));
}
