import { sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { countEvent } from "~/db/count-event.server";
import { runBatch } from "~/db/gated";
import { prepared } from "~/db/prepared";
import { dayMs, scoreChangeWindowMs } from "~/db/rules";
import type { EmptyPool } from "~/exchange/carousel/empty-pool/empty-pool.server";
import {
  endSongWish,
  selectEmptyPool,
  toEmptyPool,
} from "~/exchange/carousel/empty-pool/empty-pool.server";
import {
  keepWindow,
  openPool,
  selectPool,
  type ViewersPool,
} from "~/exchange/carousel/pool/pool.server";
import { poolSize } from "~/exchange/carousel/pool/pool-window";
import { drawPackage, type Random, type SongsLeft } from "~/exchange/carousel/pool/select";
import type { ListenView } from "~/exchange/listening/listening";
import { requiredListeningSeconds } from "~/exchange/listening/listening";
import { listenView, selectOpenListen } from "~/exchange/listening/listens.server";
import { type OwnRating, selectOwnRating } from "~/exchange/rating/own-rating.server";
import { areReasonsOpen, reasonsOf } from "~/exchange/rating/reasons";
import { isScore } from "~/exchange/rating/scale";
import { eligibility, goalText } from "~/exchange/submission/eligibility";
import { tierConfigs } from "~/members/tiers";
import {
  selectViewer,
  touchIfDue,
  toViewer,
  type Viewer,
  viewerIdGiven,
  viewerIdOf,
} from "~/members/viewer.server";
import { visitAt } from "~/members/visit";
import { hasOpenPackage, type PackageRow, replacePackage, selectPackage } from "./package.server";
import type { CarouselSong, CarouselView, JustRated } from "./view";

/** The parameters of the carousel's address, with the login that asks. */
export interface CarouselRequest {
  sessionId: string;
  /** The song that was just rated, whose rating the page confirms. */
  ratedSongId: string | null;
}

/** The services of the carousel. */
interface CarouselServices {
  /** Epoch milliseconds. */
  now: number;
  random: Random;
  /** Keys the fingerprint of the viewer's address. */
  secret: string;
  /** False for a page that reads its own data again. */
  isActivity: boolean;
}

/** The carousel of a viewer, with the rating just given, if any. */
export interface Carousel {
  viewer: Viewer;
  view: CarouselView;
  /** The song just rated, with its reasons while they can be given. */
  justRated: JustRated | null;
}

/**
 * Songs of the pool that are read beside an open package: as many as a submission costs, and as many again,
 * because some may not count. There the pool only shows how many ratings the next submission takes.
 */
const peekSize = 2 * tierConfigs.free.ratingsToSubmit;

/**
 * Age at which a new package replaces one that nobody has begun, in milliseconds (rule 11). Without it, a
 * song that Spotify no longer plays would keep its listeners from ever getting another.
 */
const packageLifetimeMs = dayMs;

/** The statements of the carousel, about the viewer of `sessionId` at `now`. */
const packageOfLogin = prepared((db, param) => selectPackage(db, viewerIdGiven(param)));
const poolOfLogin = prepared((db, param) => {
  const viewerId = viewerIdGiven(param);
  const since = sql<number>`${param("now")} - ${packageLifetimeMs}`;
  // An open package stays, so that a draw always has the whole pool.
  const limit = sql<number>`iif(${hasOpenPackage(viewerId, since)}, ${peekSize}, ${poolSize})`;
  return selectPool(db, viewerId, limit);
});
const openListenOfLogin = prepared((db, param) => selectOpenListen(db, viewerIdGiven(param)));

/**
 * The carousel screen's data. One round trip reads. A second one writes, if a new package is drawn, the
 * session's activity has to be recorded, or the pool is empty, which is counted. With nothing to draw from,
 * it also reads the offers of the empty pool. Drawing songs ends the wish for a mail about them, unless the
 * page draws them by itself and nobody may be looking.
 * @returns null if the session has ended.
 */
export async function loadCarousel(
  db: Database,
  request: CarouselRequest,
  services: CarouselServices,
): Promise<Carousel | null> {
  const { now } = services;
  const screen = await readScreen(db, request, now);
  if (!screen) return null;
  const { viewer, pool, listen, rated } = screen;
  const { rows, left, emptyPool } = await keepOrDraw(db, screen, services);
  const songs = rows
    .filter((row) => row.rated !== null || isToRate(row, listen))
    .map((row) => carouselSong(row, viewer.tierConfig.requiredSeconds));
  const hasSongs = songs.some((song) => song.rated === null);
  // Beside "nothing to rate" the page must not count songs to rate.
  const toRate = hasSongs ? left.toRate : 0;
  const threshold = viewer.tierConfig.ratingsToSubmit;
  const terms = eligibility({ ...viewer, ...pool, ...left, toRate }, threshold, now);
  const emptyState = viewer.ratedCount > 0 ? "exhausted" : "empty";
  return {
    viewer,
    view: {
      state: hasSongs ? "songs" : pool.awayUntil === null ? emptyState : "away",
      songs: hasSongs ? songs : [],
      listen,
      eligibility: terms,
      goal: hasSongs || pool.awayUntil === null ? goalText(terms, now) : null,
      emptyPool: hasSongs ? null : emptyPool,
      now,
    },
    justRated: rated ? justRated(rated, now) : null,
  };
}

/** Reads the screen's rows, in one round trip. @returns null if the session has ended. */
async function readScreen(db: Database, { sessionId, ratedSongId }: CarouselRequest, now: number) {
  const viewerId = viewerIdOf(sessionId, now);
  const login = { sessionId, now };
  const read = await runBatch(db, {
    viewer: selectViewer(db, login),
    package: packageOfLogin(db, login),
    pool: poolOfLogin(db, login),
    listen: openListenOfLogin(db, login),
    rated: ratedSongId === null ? null : selectOwnRating(db, viewerId, ratedSongId),
  });
  const viewer = toViewer(read.viewer);
  if (!viewer) return null;
  return {
    viewer,
    package: read.package,
    pool: openPool(read.pool, viewer, { now }),
    listen: listenView(read.listen[0], now),
    rated: read.rated?.[0],
  };
}

type Screen = NonNullable<Awaited<ReturnType<typeof readScreen>>>;

/**
 * Keeps the package while a song in it is to be rated, and draws another where none is. One round trip, or
 * none where nothing has to be written.
 * @returns the songs of the package, the songs left to rate, and the offers where there is no song.
 */
async function keepOrDraw(
  db: Database,
  { viewer, package: rows, pool, listen }: Screen,
  services: CarouselServices,
): Promise<{ rows: PackageRow[]; left: SongsLeft; emptyPool: EmptyPool | null }> {
  const { now, random, secret } = services;
  const { eligible, window } = pool;
  const touch = touchIfDue(db, viewer.session, services);
  const keep = keepWindow(db, { userId: viewer.userId, window, now });
  const unchanged = { rows, left: pool, emptyPool: null };

  if (rows.some((row) => isToRate(row, listen) && staysInPackage(row, listen, now))) {
    const wasCut = pool.found >= peekSize;
    if (wasCut && areSongsScarce(viewer, pool, now)) {
      const { whole } = await runBatch(db, { whole: selectPool(db, viewer.userId), touch });
      return { ...unchanged, left: openPool(whole, viewer, { now }) };
    }
    await runBatch(db, { touch, keep: eligible.length === 0 && !wasCut ? keep : null });
    return unchanged;
  }

  if (eligible.length === 0) {
    const offers = await selectEmptyPool(db, viewer, secret);
    const isWithoutSongs = !rows.some((row) => isToRate(row, listen)) && pool.awayUntil === null;
    const count =
      isWithoutSongs && services.isActivity ? countEvent(db, "empty_visits", now) : null;
    const results = await runBatch(db, { offers, touch, keep, count });
    return { ...unchanged, emptyPool: toEmptyPool(results.offers, viewer, pool, now) };
  }

  const { slide } = viewer;
  const visit = visitAt(viewer, now);
  const { tier, packageSize } = viewer.tierConfig;
  const { replaced } = await runBatch(db, {
    replaced: replacePackage(db, {
      userId: viewer.userId,
      lastNumber: rows[0]?.number ?? 0,
      drawn: drawPackage(eligible, { visit, slide, tier, packageSize }, random),
      drawnAt: now,
    }),
    wish: services.isActivity ? endSongWish(db, viewer.userId) : null,
    touch,
    keep,
  });
  return { ...unchanged, rows: replaced.standing };
}

/** Checks whether songs beyond those that were read could make a submission cost more, or take more ratings. */
function areSongsScarce(viewer: Viewer, pool: ViewersPool, now: number): boolean {
  const threshold = viewer.tierConfig.ratingsToSubmit;
  const { remaining } = eligibility({ ...viewer, ...pool }, threshold, now);
  return pool.available < threshold || remaining < threshold - viewer.credits;
}

/**
 * Checks whether a song of the package is still to be rated. One that has received all its ratings from
 * others meanwhile, or that rests, is not, unless the viewer has heard it or is listening to it. Nor is one
 * whose recording the viewer has rated or submitted under another id.
 */
function isToRate(row: PackageRow, listen: ListenView | null): boolean {
  return !row.closed && (row.offered || row.heard || row.songId === listen?.songId);
}

/** Checks whether the song's package is young enough to stay, or the viewer has begun with the song. */
function staysInPackage(row: PackageRow, listen: ListenView | null, now: number): boolean {
  return now - row.drawnAt < packageLifetimeMs || row.heard || row.songId === listen?.songId;
}

function carouselSong(row: PackageRow, tierSeconds: number): CarouselSong {
  const {
    number: _number,
    drawnAt: _drawnAt,
    offered: _offered,
    closed: _closed,
    rated,
    favoritedAt,
    ...song
  } = row;
  return {
    ...song,
    rated: isScore(rated) ? rated : null,
    favorited: favoritedAt !== null,
    requiredSeconds: requiredListeningSeconds(tierSeconds, song.durationMs),
  };
}

function justRated(
  { score, createdAt, reasons, ...song }: OwnRating,
  now: number,
): JustRated | null {
  if (!isScore(score)) return null;
  return {
    ...song,
    score,
    reasons: areReasonsOpen(createdAt, now) ? reasonsOf(reasons ?? 0) : null,
    changeableMs: Math.max(0, createdAt + scoreChangeWindowMs - now),
  };
}
