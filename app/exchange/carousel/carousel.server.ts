import { sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { countEvent } from "~/db/count-event.server";
import { runBatch } from "~/db/gated";
import { type Param, prepared } from "~/db/prepared";
import { scoreChangeWindowMs } from "~/db/rules";
import type { EmptyPool } from "~/exchange/carousel/empty-pool/empty-pool.server";
import {
  endSongWish,
  selectEmptyPool,
  toEmptyPool,
} from "~/exchange/carousel/empty-pool/empty-pool.server";
import { selectCommunity } from "~/exchange/community/community.server";
import type { ListenView } from "~/exchange/listening/listening";
import { requiredListeningSeconds } from "~/exchange/listening/listening";
import { listenView, selectOpenListen } from "~/exchange/listening/listens.server";
import { drawPackage, type Random } from "~/exchange/pool/draw";
import type { Place } from "~/exchange/pool/place";
import {
  glanceAtPools,
  keepWindow,
  selectPool,
  selectPoolElsewhere,
  toPools,
} from "~/exchange/pool/pool.server";
import type { SongsLeft } from "~/exchange/pool/ratable";
import {
  type OwnRating,
  selectNewestRating,
  selectOwnRating,
} from "~/exchange/rating/own-rating.server";
import { areReasonsOpen, reasonsOf, reasonsWindowMs } from "~/exchange/rating/reasons";
import { isScore } from "~/exchange/rating/scale";
import { toReleaseView } from "~/exchange/release/release.server";
import { doneGoal, goalOf, mostToHear, type RoundGoal } from "~/exchange/round/round";
import {
  offeredInRounds,
  type RoundSong,
  selectRoundSongs,
  selectUnopened,
} from "~/exchange/round/round.server";
import { eligibility, goalText } from "~/exchange/submission/eligibility";
import {
  type JustSubmitted,
  selectJustSubmitted,
  toJustSubmitted,
} from "~/exchange/submission/submission.server";
import { hearsSpotify } from "~/members/hearing";
import { hearsSpotifyIn } from "~/members/hearing.server";
import {
  selectViewer,
  touchIfDue,
  toViewer,
  type Viewer,
  viewerIdGiven,
  viewerIdOf,
} from "~/members/viewer.server";
import { visitAt, visitTimeoutMs } from "~/members/visit";
import { dayMs, minuteMs } from "~/platform/dates";
import { canHear } from "~/sources/hears";
import { toSong } from "~/sources/song";
import { hasOpenPackage, type PackageRow, replacePackage, selectPackage } from "./package.server";
import type { CarouselSong, CarouselView, JustRated } from "./view";

export interface CarouselRequest {
  sessionId: string;
  /** Null for the song rated last, until the next one is begun or nothing can be said about it any more. */
  ratedSongId: string | null;
}

interface CarouselServices {
  now: number;
  random: Random;
  secret: string;
  /** False for a page that reads its own data again. */
  isActivity: boolean;
  isSpotifyOpen: boolean;
  place: Place | null;
}

export interface Carousel {
  viewer: Viewer;
  view: CarouselView;
  justRated: JustRated | null;
  submitted: JustSubmitted | null;
  /** The viewer's marks in it are theirs to open. */
  openRound: { token: string; name: string } | null;
}

/** Rule 11, packages. Otherwise a song that Spotify no longer plays would keep its listeners from others. */
const packageLifetimeMs = dayMs;

const placeGiven = (param: Param) => ({ mark: param("mark"), mostRatings: param("mostRatings") });

const packageOfLogin = prepared((db, param) =>
  selectPackage(db, viewerIdGiven(param), placeGiven(param)),
);
const poolOfLogin = prepared((db, param) => {
  const viewerId = viewerIdGiven(param);
  const since = sql<number>`${param("now")} - ${packageLifetimeMs}`;
  const hears = hearsSpotifyIn(param("sessionId"));
  const place = placeGiven(param);
  return selectPool(db, viewerId, {
    ...{ hears, place },
    onlyCounts: hasOpenPackage(viewerId, { since, hears, place }),
  });
});
const poolElsewhereOfLogin = prepared((db, param) =>
  selectPoolElsewhere(db, viewerIdGiven(param), {
    hears: hearsSpotifyIn(param("sessionId")),
    place: placeGiven(param),
    now: param("now"),
  }),
);
const roundSongsOfLogin = prepared((db, param) => {
  const hears = hearsSpotifyIn(param("sessionId"));
  return selectRoundSongs(db, viewerIdGiven(param), { hears, now: param("now") });
});
const unopenedOfLogin = prepared((db, param) => selectUnopened(db, viewerIdGiven(param)));
const openListenOfLogin = prepared((db, param) => selectOpenListen(db, viewerIdGiven(param)));
const newestRatingOfLogin = prepared((db, param) =>
  selectNewestRating(db, viewerIdGiven(param), sql<number>`${param("now")} - ${reasonsWindowMs}`),
);

/**
 * The carousel screen's data; null if the session has ended. One round trip reads, a second one writes.
 * Drawing songs ends the wish for a mail about them, unless the page draws by itself and nobody may be
 * looking.
 */
export async function loadCarousel(
  db: Database,
  request: CarouselRequest,
  services: CarouselServices,
): Promise<Carousel | null> {
  const { now } = services;
  const screen = await readScreen(db, request, services);
  if (!screen) return null;
  const { viewer, pool, listen, rated } = screen;
  const isRoundFirst = screen.round.round !== null;
  const { rows, left, emptyPool } = isRoundFirst
    ? await keepOnly(db, screen, services)
    : await keepOrDraw(db, screen, services);
  const { requiredSeconds } = viewer.tierConfig;
  const ofExchange = rows.filter((row) => row.rated !== null || isToRate(row, screen));
  const hasNone = !ofExchange.some((row) => row.rated === null);
  const { round, ofRound } = isRoundFirst || !hasNone ? screen.round : screen.beyond;
  const songs = round
    ? ofRound.map((row) => roundSong(row, requiredSeconds))
    : ofExchange.map((row) => carouselSong(row, requiredSeconds));
  const hasSongs = songs.some((song) => song.rated === null);
  // Beside "nothing to rate" the page must not count songs to rate.
  const here = hasSongs ? left.here : 0;
  const toRate = hasSongs || pool.isElsewhere ? left.toRate : 0;
  const threshold = viewer.tierConfig.ratingsToSubmit;
  const terms = eligibility({ ...viewer, ...pool, ...left, here, toRate }, threshold, now);
  const done = screen.unopened?.openedAt === null ? screen.unopened : null;
  const emptyState = viewer.ratedCount > 0 ? "exhausted" : "empty";
  return {
    viewer,
    view: {
      state: hasSongs ? "songs" : pool.awayUntil === null ? emptyState : "away",
      songs: hasSongs ? songs : [],
      listen,
      eligibility: terms,
      round:
        round ?? (done && (!hasSongs || rated?.roundId === done.id) ? doneGoal(done, now) : null),
      goal: hasSongs || pool.awayUntil === null ? goalText(terms, now) : null,
      emptyPool: hasSongs ? null : emptyPool,
      now,
    },
    submitted: screen.submitted,
    openRound: screen.unopened?.openedAt ? screen.unopened : null,
    justRated: rated ? justRated(rated, now) : null,
  };
}

async function readScreen(
  db: Database,
  { sessionId, ratedSongId }: CarouselRequest,
  { now, isSpotifyOpen, place }: CarouselServices,
) {
  const viewerId = viewerIdOf(sessionId, now);
  const login = { sessionId, now };
  const given = { ...login, mark: null, mostRatings: null, ...place };
  const read = await runBatch(db, {
    viewer: selectViewer(db, login),
    package: packageOfLogin(db, given),
    pools: {
      offered: poolOfLogin(db, given),
      elsewhere: isSpotifyOpen ? poolElsewhereOfLogin(db, given) : null,
    },
    rounds: roundSongsOfLogin(db, login),
    unopened: unopenedOfLogin(db, login),
    listen: openListenOfLogin(db, login),
    submitted: selectJustSubmitted(db, { ...login, since: now - visitTimeoutMs }),
    community: selectCommunity(db),
    rated:
      ratedSongId === null
        ? newestRatingOfLogin(db, login)
        : selectOwnRating(db, viewerId, ratedSongId),
  });
  const viewer = toViewer(read.viewer);
  if (!viewer) return null;
  const [listen] = read.listen;
  const [rated] = read.rated;
  const isOver = ratedSongId === null && rated && listen && listen.startedAt > rated.createdAt;
  const shown = { viewer, package: read.package, listen: listenView(listen, now) };
  // Where a package is open by `hasOpenPackage`, it is kept.
  const isKept = shown.package.some(
    (row) => isToRate(row, shown) && staysInPackage(row, shown.listen, now),
  );
  return {
    ...shown,
    isKept,
    unopened: read.unopened[0] ?? null,
    round: firstRound(
      read.rounds.filter(({ round }) => !round.isDone),
      { listen, now },
    ),
    /** What would give others their five, for who has given theirs: after all else. */
    beyond: firstRound(
      read.rounds.filter(({ round }) => round.isDone),
      { listen, now },
    ),
    pool: (isKept ? glanceAtPools : toPools)(read.pools, viewer, { now }),
    submitted: toJustSubmitted(read.submitted, read.community, now),
    rated: isOver ? undefined : rated,
  };
}

/** An exchange's song that was begun so lately goes on before a round. */
const begunLatelyMs = 15 * minuteMs;

/** The songs of the round that ends first, and its line; a song of the exchange that was just begun comes before it. */
function firstRound(
  rows: RoundSong[],
  { listen, now }: { listen: { songId: string; startedAt: number } | undefined; now: number },
): { round: RoundGoal | null; ofRound: RoundSong[] } {
  const [first] = rows;
  const isOfRound = rows.some(({ songId }) => songId === listen?.songId);
  const isElsewhere = listen && !isOfRound && now - listen.startedAt < begunLatelyMs;
  if (!first || isElsewhere) return { round: null, ofRound: [] };
  const its = rows.filter(({ round }) => round.id === first.round.id);
  const { given: heard, isDone } = first.round;
  const due = isDone ? heard : Math.min(mostToHear, heard + its.length);
  return { round: goalOf(first.round, { heard, due, now }), ofRound: offeredInRounds(its) };
}

type Screen = NonNullable<Awaited<ReturnType<typeof readScreen>>>;

/**
 * Keeps the package while a song in it is to be rated, else draws another (rule 11, packages), else reads the offers.
 */
async function keepOrDraw(
  db: Database,
  screen: Screen,
  services: CarouselServices,
): Promise<{
  rows: PackageRow[];
  left: SongsLeft & { here: number };
  emptyPool: EmptyPool | null;
}> {
  const { now, random, place } = services;
  const { viewer, package: rows, pool } = screen;
  const touch = touchIfDue(db, viewer, services);
  const unchanged = { rows, left: pool, emptyPool: null };

  if (!pool.isWhole) {
    const isWorthAll = !pool.isElsewhere && areSongsScarce(screen, now);
    const hears = hearsSpotify(viewer);
    const { whole } = await runBatch(db, {
      whole: isWorthAll ? selectPool(db, viewer.userId, { hears, place }) : null,
      touch,
    });
    return whole ? { ...unchanged, left: toPools({ offered: whole }, viewer, { now }) } : unchanged;
  }

  const { eligible } = pool;
  const keep = keepWindow(db, pool, now);
  if (screen.isKept) {
    await runBatch(db, { touch, keep: eligible.length === 0 ? keep : null });
    return unchanged;
  }

  if (eligible.length === 0) {
    const offers = await selectEmptyPool(db, viewer, services);
    const isWithoutSongs = !rows.some((row) => isToRate(row, screen)) && pool.awayUntil === null;
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
      hears: hearsSpotify(viewer),
      place,
    }),
    wish: services.isActivity ? endSongWish(db, viewer.userId) : null,
    touch,
    keep,
  });
  return { ...unchanged, rows: replaced.standing };
}

/** The package waits while a round is open. */
async function keepOnly(
  db: Database,
  { viewer, package: rows, pool }: Screen,
  services: CarouselServices,
) {
  await runBatch(db, { touch: touchIfDue(db, viewer, services) });
  return { rows, left: pool, emptyPool: null };
}

/** Checks whether songs that were not read could make a submission cost more ratings. */
function areSongsScarce({ viewer, pool }: Screen, now: number): boolean {
  const threshold = viewer.tierConfig.ratingsToSubmit;
  const { remaining } = eligibility({ ...viewer, ...pool }, threshold, now);
  return pool.available < threshold || remaining < threshold - viewer.credits;
}

/**
 * Where others have given a song all its ratings, or it rests, a viewer who has begun with it may go on. What
 * they cannot hear in this login is left out, as if it had not been drawn, unless they have heard it before.
 */
function isToRate(row: PackageRow, { viewer, listen }: Pick<Screen, "viewer" | "listen">): boolean {
  return (
    (row.heard || canHear(row, viewer)) &&
    !row.closed &&
    (row.offered || row.heard || row.songId === listen?.songId)
  );
}

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
    ...toSong(song),
    rated: isScore(rated) ? rated : null,
    favorited: favoritedAt !== null,
    requiredSeconds: requiredListeningSeconds(tierSeconds, song.durationMs),
  };
}

function roundSong({ round: _round, ...song }: RoundSong, tierSeconds: number): CarouselSong {
  return {
    ...toSong(song),
    ...{ rated: null, favorited: false, playlist: null },
    requiredSeconds: requiredListeningSeconds(tierSeconds, song.durationMs),
  };
}

function justRated(
  {
    score,
    createdAt,
    isFinal,
    reasons,
    roundId: _roundId,
    releaseUrl,
    releaseWish,
    ...song
  }: OwnRating,
  now: number,
): JustRated | null {
  if (!isScore(score)) return null;
  return {
    ...toSong(song),
    score,
    reasons: areReasonsOpen(createdAt, now) ? reasonsOf(reasons ?? 0) : null,
    release: toReleaseView({ releaseUrl, releaseWish }),
    changeableMs: isFinal ? 0 : Math.max(0, createdAt + scoreChangeWindowMs - now),
  };
}
