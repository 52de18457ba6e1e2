import type { Database } from "~/db/client.server";
import { type Results, runBatch } from "~/db/gated";
import { openPool, selectPool, type ViewersPool } from "~/exchange/carousel/pool/pool.server";
import { eligibility } from "~/exchange/submission/eligibility";
import { submissionObstacle } from "~/exchange/submission/limits";
import { selectOwnSongs } from "~/exchange/submission/limits.server";
import { fingerprintOf, selectSuppressed, toSuppressed } from "~/members/suppression.server";
import type { Viewer } from "~/members/viewer.server";
import type { EmptyPool } from "./empty-pool";
import { selectSongWish } from "./song-wish.server";

/**
 * The statements that read the offers for a viewer with nothing to rate, for `toEmptyPool`.
 * @param secret keys the address's fingerprint.
 */
export async function selectEmptyPool(
  db: Database,
  { userId, address }: Pick<Viewer, "userId" | "address">,
  secret: string,
) {
  return {
    own: selectOwnSongs(db, userId),
    wishes: selectSongWish(db, userId),
    suppressed: selectSuppressed(db, await fingerprintOf(secret, address)),
  };
}

type Rows = Results<Awaited<ReturnType<typeof selectEmptyPool>>>;

/**
 * The offers for a viewer with nothing to rate, from the rows of `selectEmptyPool`.
 * @param now epoch milliseconds.
 */
export function toEmptyPool(
  { own: [own = { owed: 0, locked: null }], wishes, suppressed }: Rows,
  viewer: Viewer,
  pool: ViewersPool,
  now: number,
): EmptyPool {
  const terms = eligibility({ ...viewer, ...pool }, viewer.tierConfig.ratingsToSubmit, now);
  const { address } = viewer;
  return {
    mail:
      pool.eligible.length > 0 || pool.awayUntil !== null
        ? null
        : {
            address,
            ended: toSuppressed(suppressed.map(({ topic }) => topic)).ended.songs,
            asked: wishes.length > 0,
          },
    obstacle: submissionObstacle({ ...pool, ...terms }, own, now),
  };
}

/**
 * The offers for a viewer with little or nothing to rate, in one round trip.
 * @param options `secret` keys the address's fingerprint; `now` is in epoch milliseconds.
 */
export async function loadEmptyPool(
  db: Database,
  viewer: Viewer,
  options: { secret: string; now: number },
): Promise<EmptyPool> {
  const { pool, emptyPool } = await runBatch(db, {
    pool: selectPool(db, viewer.userId),
    emptyPool: await selectEmptyPool(db, viewer, options.secret),
  });
  return toEmptyPool(emptyPool, viewer, openPool(pool, viewer, options), options.now);
}
