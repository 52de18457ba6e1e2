import type { Database } from "~/db/client.server";
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
  return [
    selectOwnSongs(db, userId),
    selectSongWish(db, userId),
    selectSuppressed(db, await fingerprintOf(secret, address)),
  ] as const;
}

/** What the three statements answer, in their order. */
type Rows = [
  Awaited<ReturnType<typeof selectOwnSongs>>,
  Awaited<ReturnType<typeof selectSongWish>>,
  Awaited<ReturnType<typeof selectSuppressed>>,
];

/**
 * What a viewer can do who has nothing to rate, from the rows of `selectMeanwhile`.
 * @param now epoch milliseconds.
 */
export function toMeanwhile(
  [[own = { owed: 0, lastFree: null }], wishes, suppressed]: Rows,
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
  const [poolRows, ...rows] = await db.batch([
    selectPool(db, viewer.userId),
    ...(await selectMeanwhile(db, viewer, options.secret)),
  ]);
  return toMeanwhile(rows, viewer, openPool(poolRows, viewer, options), options.now);
}
