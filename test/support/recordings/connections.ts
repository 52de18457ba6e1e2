/** Connections that are delivered a recording, on a clock of their own that moves on while all of them wait. */
import { env } from "cloudflare:workers";
import { createDatabase } from "~/db/client.server";
import type { Viewer } from "~/members/viewer.server";
import { isRejection } from "~/platform/rejection";
import { type AudioServices, findAudio } from "~/sources/files/audio.server";
import type { SongWithFile } from "./own-song";

export interface Chunk {
  /** Milliseconds since the clock began. */
  at: number;
  from: number;
  to: number;
}

interface Asked {
  from?: number;
  to?: number;
  listenId?: string;
  /** The connection is left once it has got this byte. */
  leaveAt?: number;
  /** Happens after each piece. */
  after?(chunk: Chunk): Promise<void> | void;
}

export interface Delivered {
  chunks: Chunk[];
  bytes: number[];
  /** The connection broke off. */
  broken: boolean;
  /** What it was told then. */
  why?: string;
}

export function connections(viewer: Viewer, startedAt: number, given: Partial<AudioServices> = {}) {
  let time = startedAt;
  let reading = 0;
  let waiting: { at: number; go(): void }[] = [];
  const ended: Promise<unknown>[] = [];

  function moveOn(): void {
    if (waiting.length === 0 || waiting.length < reading) return;
    const first = waiting.reduce((one, other) => (other.at < one.at ? other : one));
    waiting = waiting.filter((one) => one !== first);
    time = Math.max(time, first.at);
    first.go();
  }

  const services: AudioServices = {
    db: createDatabase(env.DB),
    files: env.RECORDINGS,
    config: { operators: [] },
    now: () => time,
    wait: (ms, signal) =>
      new Promise<void>((resolve, reject) => {
        const one = { at: time + ms, go: resolve };
        waiting.push(one);
        signal.addEventListener("abort", () => {
          waiting = waiting.filter((other) => other !== one);
          reject(new Error("left"));
        });
        moveOn();
      }),
    waitUntil: (work) => ended.push(work),
    ...given,
  };

  async function open(
    song: SongWithFile,
    { from = 0, to = song.file.bytes, listenId }: Asked = {},
  ) {
    const asked = { songId: song.id, listenId: listenId ?? null };
    const audio = await findAudio(services, viewer, asked);
    const body = (await audio?.open({ from, to })) ?? null;
    if (isRejection(body)) throw new Error(body.error);
    return body;
  }

  return {
    services,
    open,
    passTime(ms: number) {
      time += ms;
    },
    sinceStart: () => time - startedAt,
    /** Reads until the end, and until all that was to be noted has been. Null where nothing was given. */
    async read(song: SongWithFile, asked: Asked = {}): Promise<Delivered | null> {
      reading += 1;
      try {
        const body = await open(song, asked);
        if (!body) return null;
        return await readAll(body, asked);
      } finally {
        reading -= 1;
        moveOn();
        await Promise.all(ended);
      }
    },
  };

  async function readAll(body: ReadableStream<Uint8Array>, asked: Asked): Promise<Delivered> {
    const reader = body.getReader();
    const delivered: Delivered = { chunks: [], bytes: [], broken: false };
    let at = asked.from ?? 0;
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return delivered;
        const chunk = { at: time - startedAt, from: at, to: at + value.byteLength };
        delivered.chunks.push(chunk);
        for (const byte of value) delivered.bytes.push(byte);
        at = chunk.to;
        await asked.after?.(chunk);
        if (at >= (asked.leaveAt ?? Infinity)) {
          await reader.cancel();
          return delivered;
        }
      }
    } catch (error) {
      await reader.cancel().catch(() => undefined);
      return { ...delivered, broken: true, why: String(error) };
    }
  }
}
