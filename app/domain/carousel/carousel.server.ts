import type { Database } from "~/db/client.server";
import type { ListenView } from "~/domain/listening/listening";
import { requiredListeningSeconds } from "~/domain/listening/listening";
import { listenView, selectOpenListen } from "~/domain/listening/listens.server";
import { keepWindow, parsePool, selectPool } from "~/domain/pool/pool.server";
import { drawPackage, eligibleSongs, type Random } from "~/domain/pool/select";
import { selectOwnRating } from "~/domain/rating/own-rating.server";
import { isScore, type Score } from "~/domain/rating/scale";
import {
  selectViewer,
  touchSession,
  toViewer,
  type Viewer,
  viewerIdOf,
} from "~/domain/session/viewer.server";
import { visitAt } from "~/domain/session/visit";
import { eligibility } from "~/domain/submission/eligibility";
import { type PackageRow, replacePackage, selectPackage } from "./package.server";
import type { CarouselSong, CarouselView } from "./view";

/** What a visit to the carousel asks for. */
export interface CarouselRequest {
  sessionId: string;
  /** The song that was just rated, whose rating the page confirms. */
  ratedSongId: string | null;
}

/** The carousel of a viewer, with the rating just given, if any. */
export interface Carousel {
  viewer: Viewer;
  view: CarouselView;
  justRated: { songId: string; score: Score } | null;
}

/**
 * How long a package lasts before a new one replaces it, in milliseconds. Without an end, a song that
 * Spotify no longer plays would keep its listeners from ever getting another.
 */
const packageLifetimeMs = 24 * 60 * 60 * 1000;

/**
 * The carousel screen's data. One round trip reads; a second one writes, but only if a new package is
 * drawn or the session's activity has to be recorded.
 * @returns null if the session has ended.
 */
export async function loadCarousel(
  db: Database,
  { sessionId, ratedSongId }: CarouselRequest,
  { now, random }: { now: number; random: Random },
): Promise<Carousel | null> {
  const viewerId = viewerIdOf(sessionId, now);
  const reads = [
    selectViewer(db, sessionId, now),
    selectPackage(db, viewerId),
    selectPool(db, viewerId),
    selectOpenListen(db, viewerId),
  ] as const;
  const [viewerRows, packageRows, poolRows, listenRows, ratedRows = []] = await db.batch(
    ratedSongId === null ? reads : [...reads, selectOwnRating(db, viewerId, ratedSongId)],
  );
  const viewer = toViewer(viewerRows);
  if (!viewer) return null;

  const listen = listenView(listenRows[0]);
  const pool = parsePool(poolRows);
  const available = eligibleSongs(pool.songs, viewer.userId);
  const touch = touchSession(db, viewer.session, now);
  const keep = keepWindow(db, { userId: viewer.userId, pool, now });
  let rows = packageRows;
  const stays = rows.some((row) => isOpen(row, listen) && isFresh(row, listen, now));
  if (!stays && available.length > 0) {
    const { visit, slide } = { ...viewer.session, ...visitAt(viewer.session, now) };
    const { tier, packageSize } = viewer.limits;
    const drawn = drawPackage(available, { visit, slide, tier, packageSize }, random);
    const lastNumber = rows[0]?.number ?? 0;
    const replace = replacePackage(db, { userId: viewer.userId, lastNumber, drawn, now });
    const results = await db.batch([...replace, ...present(touch), ...present(keep)]);
    rows = results[3];
  } else if (touch) {
    await db.batch([touch, ...present(available.length === 0 ? keep : null)]);
  }

  const songs = rows
    .filter((row) => row.rated !== null || isOpen(row, listen))
    .map((row) => carouselSong(row, viewer.limits.listeningTimeRequired));
  const open = songs.some((song) => song.rated === null);
  const rated = ratedRows[0];
  return {
    viewer,
    view: {
      state: open ? "songs" : viewer.ratedCount > 0 ? "exhausted" : "empty",
      songs: open ? songs : [],
      listen,
      eligibility: eligibility(
        { ...viewer, available: available.length },
        viewer.limits.songsToRateBeforeUpload,
      ),
      now,
    },
    justRated: rated && isScore(rated.score) ? { songId: rated.songId, score: rated.score } : null,
  };
}

/**
 * Whether a song of the package is still to be rated. A song that has received all its ratings from
 * others meanwhile, or that rests, is not, unless the viewer is listening to it right now.
 */
function isOpen(row: PackageRow, listen: ListenView | null): boolean {
  return row.rated === null && (row.offered || row.songId === listen?.songId);
}

/** Whether the song's package is young enough to stay, or the viewer is listening to the song. */
function isFresh(row: PackageRow, listen: ListenView | null, now: number): boolean {
  return now - row.drawnAt < packageLifetimeMs || row.songId === listen?.songId;
}

function present<Statement>(statement: Statement | null): Statement[] {
  return statement ? [statement] : [];
}

function carouselSong(row: PackageRow, tierSeconds: number): CarouselSong {
  const {
    number: _number,
    drawnAt: _drawnAt,
    offered: _offered,
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
