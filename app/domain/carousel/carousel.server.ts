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

/** What the carousel's loader asks for. */
export interface CarouselRequest {
  sessionId: string;
  /** A song whose rating was just given, to say so. */
  ratedSongId: string | null;
}

/** The carousel of a viewer, and the rating just given where there is one. */
export interface Carousel {
  viewer: Viewer;
  view: CarouselView;
  justRated: { songId: string; score: Score } | null;
}

/**
 * A package that was not rated through by then gives way to a new one, in milliseconds: a song that
 * Spotify no longer plays must not keep its listeners from ever getting another.
 */
const packageLifetimeMs = 24 * 60 * 60 * 1000;

/**
 * The carousel screen's data: one round trip reads, and only when a new package is drawn or the
 * session's activity is due to be written down, a second one writes.
 * @returns null where the session is no login.
 */
export async function loadCarousel(
  db: Database,
  request: CarouselRequest,
  now: number,
  random: Random,
): Promise<Carousel | null> {
  const viewerId = viewerIdOf(request.sessionId, now);
  const { ratedSongId } = request;
  const reads = [
    selectViewer(db, request.sessionId, now),
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
  const available = eligibleSongs(pool.songs, viewer.userId, new Set());
  const touch = touchSession(db, viewer.session, now);
  const keep = keepWindow(db, viewer.userId, pool, now);
  let rows = packageRows;
  const stays = rows.some((row) => isOpen(row, listen) && isFresh(row, listen, now));
  if (!stays && available.length > 0) {
    const place = { ...viewer.session, ...visitAt(viewer.session, now) };
    const drawn = drawPackage(available, place, viewer.limits, random);
    const replace = replacePackage(db, viewer.userId, rows[0]?.number ?? 0, drawn, now);
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
 * Whether a song of the package is still to be rated. One that has got all its ratings from others
 * meanwhile is not, unless the viewer is listening to it right now.
 */
function isOpen(row: PackageRow, listen: ListenView | null): boolean {
  return row.rated === null && (row.owedSince !== null || row.songId === listen?.songId);
}

/** Whether the package a song is in is young enough to stay, or is being listened to. */
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
    owedSince: _owedSince,
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
