import type { Database } from "~/db/client.server";
import { type Results, runBatch } from "~/db/gated";
import { fingerprintOf, selectSuppressed } from "~/domain/contact/suppression.server";
import { openPool, selectPool, type ViewersPool } from "~/domain/pool/pool.server";
import type { Viewer } from "~/domain/session/viewer.server";
import { eligibility } from "~/domain/submission/eligibility";
import { isFreeUsed, submissionObstacle } from "~/domain/submission/limits";
import { selectOwnSongs } from "~/domain/submission/limits.server";
import type { Meanwhile } from "./meanwhile";
import { selectSongWish } from "./song-wish.server";

/**
 * The statements that read what a viewer with nothing to rate can do, for `toMeanwhile`.
 * @param secret keys the address's fingerprint.
 */
export async function selectMeanwhile(
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

type Rows = Results<Awaited<ReturnType<typeof selectMeanwhile>>>;

/**
 * What a viewer can do who has nothing to rate, from the rows of `selectMeanwhile`.
 * @param now epoch milliseconds.
 */
export function toMeanwhile(
  { own: [own = { owed: 0, lastFree: null }], wishes, suppressed }: Rows,
  viewer: Viewer,
  { eligible, available, awayUntil }: ViewersPool,
  now: number,
): Meanwhile {
  const standing = { ...viewer, available, freeUsed: isFreeUsed(own, now) };
  const terms = eligibility(standing, viewer.limits.songsToRateBeforeUpload);
  const { address } = viewer;
  return {
    mail:
      eligible.length > 0 || awayUntil !== null
        ? null
        : {
            address,
            ended: suppressed.some(({ topic }) => topic === "songs"),
            asked: wishes.length > 0,
          },
    obstacle: submissionObstacle({ ...terms, available, awayUntil }, own, now),
    terms,
  };
}

/**
 * What a viewer can do who has little or nothing to rate, in one round trip.
 * @param options `secret` keys the address's fingerprint; `now` is in epoch milliseconds.
 */
export async function loadMeanwhile(
  db: Database,
  viewer: Viewer,
  options: { secret: string; now: number },
): Promise<Meanwhile> {
  const { pool, meanwhile } = await runBatch(db, {
    pool: selectPool(db, viewer.userId),
    meanwhile: await selectMeanwhile(db, viewer, options.secret),
  });
  return toMeanwhile(meanwhile, viewer, openPool(pool, viewer, options), options.now);
}
