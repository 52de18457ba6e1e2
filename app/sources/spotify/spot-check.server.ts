import { and, desc, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { listens, sessions, songs } from "~/db/schema";
import { type SpotifyConnection, toConnection } from "~/members/spotify-connection";
import { logEvent } from "~/platform/log";
import { recordObservation } from "~/sources/listens.server";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { type CheckAnswer, spotCheck } from "./progress";

const maxFailed = 10;
const faultWaitSeconds = 2;
/** All waits together are short, because meanwhile a closed app could be opened. */
const unknownRetries = 2;
const unknownWaitMs = 2000;

export interface SpotCheckServices extends DatabaseAndClock {
  spotify(connection: SpotifyConnection): Spotify;
  spotChecks: SpotCheckQueue;
  random(): number;
  wait(ms: number): Promise<void>;
}

const messageSchema = z.object({
  listenId: z.string(),
  // The listen's `observedAt` when the check was queued; another value shows a check since.
  after: z.number().nullable(),
  failed: z.exactOptional(z.number()),
});

export type SpotCheckMessage = z.infer<typeof messageSchema>;

export type SpotCheckQueue = ReturnType<typeof createSpotCheckQueue>;

export function createSpotCheckQueue(
  queue: Pick<Queue<SpotCheckMessage>, "send">,
  waitUntil: (work: Promise<unknown>) => void,
) {
  async function send(message: SpotCheckMessage, delaySeconds: number): Promise<void> {
    try {
      await queue.send(message, { delaySeconds });
    } catch (error) {
      logEvent("spot_check_enqueue_failed", { error });
    }
  }
  return {
    /** If queueing fails, the listen goes without a check, because that is not the listener's fault. */
    enqueue: (message: SpotCheckMessage, delaySeconds: number): void =>
      waitUntil(send(message, delaySeconds)),
  };
}

/**
 * Makes the spot checks of a batch (rule 15, proof of hearing). A message that comes twice, or for a listen that is over,
 * does nothing.
 */
export async function consumeSpotChecks(
  { messages }: { messages: readonly Pick<Message, "body" | "ack" | "retry">[] },
  services: SpotCheckServices,
): Promise<void> {
  await Promise.all(
    messages.map(async (message) => {
      const wanted = messageSchema.safeParse(message.body);
      try {
        if (wanted.success) await checkListen(services, wanted.data);
        message.ack();
      } catch (error) {
        logEvent("spot_check_failed", { error });
        message.retry({ delaySeconds: faultWaitSeconds });
      }
    }),
  );
}

async function checkListen(services: SpotCheckServices, message: SpotCheckMessage): Promise<void> {
  const { db, spotChecks, now, random, wait } = services;
  const { listenId, after, failed = 0 } = message;
  const listen = await readOpenListen(db, listenId, now());
  if (!listen || listen.observedAt !== after) return;
  const connection = listen.session && toConnection(listen.session);
  let answer = await askPlayback(services, connection);
  for (let retries = 0; answer === "unknown" && retries < unknownRetries; retries += 1) {
    // Until it is known, the listen is not confirmed.
    await recordObservation(db, listen, { recheckAt: now() });
    await wait(unknownWaitMs);
    answer = await askPlayback(services, connection);
  }
  if (answer === "unknown") answer = null;
  const at = now();
  const { kind, seen, nextAt } = spotCheck(listen, at, answer, random());
  const recorded = await recordObservation(db, listen, seen);
  if (recorded.length === 0) return;
  logEvent("spot_check", { kind });
  if (nextAt === null || failed >= maxFailed) return;
  const next = { listenId, after: seen.observedAt ?? after, failed: failed + 1 };
  spotChecks.enqueue(next, Math.ceil((nextAt - at) / 1000));
}

async function readOpenListen(db: Database, listenId: string, now: number) {
  const [row] = await db
    .select({
      listenId: listens.id,
      startedAt: listens.startedAt,
      requiredSeconds: listens.requiredSeconds,
      observedAt: listens.observedAt,
      heardMs: listens.heardMs,
      positionMs: listens.positionMs,
      recheckAt: listens.recheckAt,
      trackId: sql<string>`track_id`.as("track_id"),
      isrc: songs.isrc,
      durationMs: songs.durationMs,
      session: sessions,
    })
    .from(listens)
    .innerJoin(songs, eq(songs.id, listens.songId))
    .leftJoin(
      sessions,
      and(
        eq(sessions.userId, listens.userId),
        gt(sessions.expiresAt, now),
        isNotNull(sessions.accessToken),
      ),
    )
    .where(
      and(
        eq(listens.id, listenId),
        isNull(listens.finishedAt),
        isNull(listens.closedAt),
        isNotNull(songs.trackId),
      ),
    )
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(1);
  return row ?? null;
}

/** Without a connection, or where Spotify refuses, nothing counts as playing: a listener could cause either. */
async function askPlayback(
  { spotify }: SpotCheckServices,
  connection: SpotifyConnection | null,
): Promise<CheckAnswer | "unknown"> {
  if (!connection) return null;
  try {
    const playback = await spotify(connection).playback();
    return playback === null || playback === "private" ? "unknown" : playback;
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    if (error.status === 429) return { limitedSeconds: error.retryAfterSeconds };
    return error.outage ? "unreachable" : null;
  }
}
