import { and, desc, gt, inArray, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { type Batch, runBatch } from "~/db/gated";
import { songs, spotifyWaits } from "~/db/schema";
import { songColumns } from "~/db/song-columns";
import { dayMs } from "~/platform/dates";
import type { FoundTrack } from "~/sources/catalogue";
import { isTrack } from "~/sources/song";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { freshenSong } from "./freshen.server";
import { whatChanged } from "./what-changed";

const monthMs = 30 * dayMs;
/** With a run every ten minutes, some 170,000 a month. */
const songsPerRun = 40;
/** Unusable answers in a run after which Spotify is taken to be down. */
const maxFailures = 3;
/** If more tracks are missing and they outnumber the hits, assume a fault at Spotify. */
const maxGone = 5;

export interface MonthlyLookServices extends DatabaseAndClock {
  /** Takes a song out of the rotation that Spotify does not know any more. */
  letRest(song: { songId: string; now: number }): Batch;
  clientIds: string[];
  /** With the app's own token. */
  catalogue(clientId: string): Pick<Spotify, "track">;
  random(): number;
}

export interface MonthlyLook {
  looked: number;
  changed: number;
  gone: number;
  status?: number;
}

type SpotifyWait = typeof spotifyWaits.$inferSelect;
type DueSong = Awaited<ReturnType<typeof selectDue>>[number] & { trackId: string };

interface Answers {
  found: { song: DueSong; track: FoundTrack }[];
  gone: DueSong[];
  unclear: DueSong[];
  ended: SpotifyError | null;
}

/**
 * Reads metadata older than a month again, with an app's own token: writes what has changed, and lets a
 * song rest that Spotify does not know any more (rule 12, rest). Nothing is written before all answers are there,
 * so that a run that is cut off is repeated.
 */
export async function lookAtOldSongs(services: MonthlyLookServices): Promise<MonthlyLook> {
  const { db, clientIds, now, random } = services;
  const startedAt = now();
  const {
    old,
    newest: [control],
    waits,
  } = await runBatch(db, {
    old: selectDue(db, startedAt),
    // A range, so that the index is searched and not scanned.
    newest: db
      .select({ trackId: sql<string>`track_id`.as("track_id") })
      .from(songs)
      .where(and(gt(songs.fetchedAt, 0), isNotNull(songs.trackId), isNull(songs.restingSince)))
      .orderBy(desc(songs.fetchedAt))
      .limit(1),
    waits: db.select().from(spotifyWaits),
  });
  const due = old.filter(isTrack);
  const waiting = waits.filter(({ until }) => until > startedAt).map(({ clientId }) => clientId);
  const free = clientIds.filter((id) => !waiting.includes(id));
  const clientId = free[Math.floor(random() * free.length)];
  if (due.length === 0 || clientId === undefined) return { looked: 0, changed: 0, gone: 0 };
  const catalogue = services.catalogue(clientId);
  const answers = await askAbout(due, catalogue);
  const { found, gone, unclear, ended } = answers;
  // If Spotify does not even know the track that was read last, the fault is its own.
  const mayAsk = !ended || unclear.length >= maxFailures;
  const isReliable =
    found.length > 0 || (mayAsk && control && (await isKnown(catalogue, control.trackId)));
  const areTooManyGone = gone.length > maxGone && gone.length > found.length;
  const believed = areTooManyGone
    ? { gone: [], unclear: [...gone, ...unclear] }
    : { gone, unclear };
  const certain = isReliable ? believed : { gone: [], unclear: [] };
  const wait = ended?.retryAfterSeconds
    ? { clientId, until: now() + ended.retryAfterSeconds * 1000 }
    : null;
  const changed = await write(services, { found, ...certain, wait }, startedAt);
  return {
    looked: found.length + certain.gone.length,
    changed,
    gone: certain.gone.length,
    ...(ended ? { status: ended.status } : {}),
  };
}

function selectDue(db: Database, now: number) {
  return db
    .select({ songId: songs.id, ...songColumns, artistIds: songs.artistIds })
    .from(songs)
    .where(and(lt(songs.fetchedAt, now - monthMs), isNotNull(songs.trackId)))
    .orderBy(songs.fetchedAt, songs.id)
    .limit(songsPerRun);
}

async function askAbout(due: DueSong[], catalogue: Pick<Spotify, "track">): Promise<Answers> {
  const answers: Answers = { found: [], gone: [], unclear: [], ended: null };
  for (const song of due) {
    try {
      const track = await catalogue.track(song.trackId);
      if (track) answers.found.push({ song, track });
      else answers.gone.push(song);
    } catch (error) {
      if (!(error instanceof SpotifyError)) throw error;
      // The fault is the app's, or Spotify limits its requests, which says nothing about the song.
      if (error.status >= 400 && error.status < 500) return { ...answers, ended: error };
      answers.unclear.push(song);
      if (answers.unclear.length >= maxFailures) return { ...answers, ended: error };
    }
  }
  return answers;
}

async function isKnown(catalogue: Pick<Spotify, "track">, trackId: string): Promise<boolean> {
  try {
    return (await catalogue.track(trackId)) !== null;
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    return false;
  }
}

async function write(
  { db, letRest }: MonthlyLookServices,
  { found, gone, unclear, wait }: Omit<Answers, "ended"> & { wait: SpotifyWait | null },
  at: number,
): Promise<number> {
  const changes = found.flatMap(({ song, track }) => {
    const changed = whatChanged(song, track, "app");
    return changed ? [{ songId: song.songId, changed, asker: "app" as const, at }] : [];
  });
  const looked = [...found.map(({ song }) => song), ...gone];
  await runBatch(db, {
    // Stagger retries, 5 a day; otherwise the same mass 404 is rejected for ever.
    unclear: unclear.map((song, place) => {
      const days = 1 + Math.floor(place / maxGone);
      return markRead(db, [song], at - monthMs + days * dayMs);
    }),
    rests: gone.map(({ songId }) => letRest({ songId, now: at })),
    changes: changes.map((change) => freshenSong(db, change)),
    looked: markRead(db, looked, at),
    wait: wait && writeWait(db, wait),
  });
  return changes.length;
}

function writeWait(db: Database, wait: SpotifyWait) {
  return db
    .insert(spotifyWaits)
    .values(wait)
    .onConflictDoUpdate({ target: spotifyWaits.clientId, set: { until: wait.until } });
}

function markRead(db: Database, read: DueSong[], at: number) {
  const ids = read.map(({ songId }) => songId);
  return db
    .update(songs)
    .set({ fetchedAt: at })
    .where(and(inArray(songs.id, ids), lt(songs.fetchedAt, at)));
}
