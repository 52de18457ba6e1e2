import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { createDatabase } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { openListen } from "~/exchange/listening/listens.server";
import type { PacedFile } from "~/sources/files/pacing";
import { playedBefore } from "~/sources/files/pacing";
import {
  baseTime,
  makeListen,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
} from "../../support/database/factories";
import { makeViewer } from "../../support/login";
import { type Chunk, connections } from "../../support/recordings/connections";
import {
  bytesOf,
  giveNewMix,
  makeSongWithFile,
  threeMinutes,
} from "../../support/recordings/own-song";

const db = createDatabase(env.DB);
const { bytes, audioStart } = threeMinutes;
const second = 16_000;
const byteAt = (seconds: number) => audioStart + seconds * second;

async function listening(file: PacedFile = threeMinutes) {
  const song = await makeSongWithFile(await makeUser(), file);
  const listener = await makeUser();
  await makePackage(listener, [song]);
  const listenId = await makeListen(listener, song, { startedAt: baseTime });
  const viewer = await makeViewer(listener);
  return { song, listener, viewer, listenId, ...connections(viewer, baseTime) };
}

function deliveredMs(): Promise<number | null> {
  const open = env.DB.prepare("SELECT delivered_ms FROM listens WHERE closed_at IS NULL");
  return open.first<number>("delivered_ms");
}

function expectInTime(chunks: Chunk[], file: PacedFile = threeMinutes): void {
  for (const { at, to } of chunks) {
    expect(playedBefore(file, to)).toBeLessThanOrEqual(10_000 + 1.1 * at);
  }
}

test("a song is delivered whole, and no byte before its time", async () => {
  const { song, read, sinceStart } = await listening();
  const delivered = await read(song);
  expect(new Uint8Array(delivered?.bytes ?? [])).toEqual(bytesOf({ from: 0, to: bytes }));
  expectInTime(delivered?.chunks ?? []);
  // Ten seconds of the three minutes were ahead, and the rest comes a tenth faster.
  expect(Math.round(sinceStart() / 1000)).toBe(155);
  expect(await deliveredMs()).toBe(180_000);
});

test("and never later than it plays", async () => {
  const { song, read } = await listening();
  const delivered = await read(song);
  for (const { at, to } of delivered?.chunks ?? []) {
    expect(playedBefore(threeMinutes, to)).toBeGreaterThan(Math.min(at, 179_999));
  }
});

test("what is delivered is noted as soon as it is enough to rate, and now and then", async () => {
  const { song, read, services } = await listening();
  const seen: [number, unknown][] = [];
  let updates = 0;
  const counting = connectionsCounting(() => {
    updates += 1;
  });
  Object.assign(services, { db: createDatabase(counting) });
  await read(song, {
    async after({ at, to }) {
      if (to >= byteAt(55) && seen.length === 0) seen.push([at, await deliveredMs()]);
      if (to >= byteAt(57) && seen.length === 1) seen.push([at, await deliveredMs()]);
    },
  });
  expect(seen[1]?.[1]).toBeGreaterThanOrEqual(55_000);
  expect(seen[1]?.[0]).toBeLessThan(45_000);
  expect(updates).toBeLessThan(20);
});

function connectionsCounting(onUpdate: () => void): D1Database {
  const counted = {
    prepare(sql: string) {
      if (/^update/i.test(sql)) onUpdate();
      return env.DB.prepare(sql);
    },
    batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
  };
  return counted as unknown as D1Database;
}

test("eight connections get nothing sooner than one", async () => {
  const { song, read } = await listening();
  const parts = Array.from({ length: 8 }, (_, part) => ({
    from: Math.floor((bytes / 8) * part),
    to: Math.floor((bytes / 8) * (part + 1)),
  }));
  const delivered = await Promise.all(parts.map((part) => read(song, part)));
  for (const one of delivered) expectInTime(one?.chunks ?? []);
  expect(
    delivered.flatMap((one) => one?.chunks ?? []).reduce((sum, { from, to }) => sum + to - from, 0),
  ).toBe(bytes);
});

test("connections that wait for the end read nothing of it before", async () => {
  const { song, listener } = await listening();
  const read: unknown[] = [];
  const counting = new Proxy(env.RECORDINGS, {
    get(target, name: keyof R2Bucket) {
      const method = target[name] as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        if (name === "get") read.push(args);
        return method.apply(target, args);
      };
    },
  });
  const viewer = await makeViewer(listener);
  const waiting = connections(viewer, baseTime, {
    files: counting,
    wait: (_ms, left) =>
      new Promise((_, reject) => left.addEventListener("abort", () => reject(new Error("left")))),
  });
  const bodies = await Promise.all(
    Array.from({ length: 60 }, (_, n) => waiting.open(song, { from: byteAt(60) + n })),
  );
  expect([bodies.every(Boolean), read]).toEqual([true, []]);
  await Promise.all(bodies.map((body) => body?.cancel()));
});

test("of those that are not taken there are eight for a listen, each with a small part of the file", async () => {
  const { song, viewer, read } = await listening({ ...threeMinutes, bytes: 30_000_000 });
  const parts: number[] = [];
  const counting = new Proxy(env.RECORDINGS, {
    get: (target, name: keyof R2Bucket) =>
      name === "get"
        ? (key: string, options: { range: { length: number } }) => {
            parts.push(options.range.length);
            return target.get(key, options);
          }
        : (target[name] as () => unknown).bind(target),
  });
  const { open } = connections(viewer, baseTime, { files: counting });
  const bodies = await Promise.all(Array.from({ length: 8 }, () => open(song)));
  expect([parts.length, Math.max(...parts) <= 131_072]).toEqual([8, true]);
  const tooMany = "Please try again in a moment.";
  await expect(open(song)).rejects.toThrow(tooMany);
  // Of the end nothing is due, and so nothing is held.
  await (await open(song, { from: 20_000_000 }))?.cancel();
  await Promise.all(bodies.map((body) => body?.cancel()));
  await vi.waitFor(async () => (await open(song))?.cancel());
  expect((await read(song, { to: 100_000 }))?.bytes).toHaveLength(100_000);
});

test("the end alone, when its time has come, does not count", async () => {
  const { song, read } = await listening();
  const delivered = await read(song, { from: byteAt(50) });
  expectInTime(delivered?.chunks ?? []);
  expect(delivered?.chunks[0]?.at).toBeGreaterThan(36_000);
  expect(await deliveredMs()).toBe(0);
});

test("nor does a part beyond what was delivered", async () => {
  const { song, read } = await listening();
  await read(song, { to: byteAt(8) });
  await read(song, { from: byteAt(9), to: byteAt(60) });
  expect(await deliveredMs()).toBe(8000);
});

test("a connection that breaks goes on where it was", async () => {
  const { song, read } = await listening();
  const first = await read(song, { leaveAt: byteAt(20) });
  const got = first?.chunks.at(-1)?.to ?? 0;
  const noted = await deliveredMs();
  expect(noted).toBeGreaterThanOrEqual(playedBefore(threeMinutes, got));
  expect(noted).toBeLessThanOrEqual(21_000);
  const second = await read(song, { from: got, to: byteAt(60) });
  expectInTime(second?.chunks ?? []);
  expect(second?.bytes[0]).toBe(got % 251);
  expect(await deliveredMs()).toBe(60_000);
});

test("what is asked for again counts once", async () => {
  const { song, read } = await listening();
  await read(song, { to: byteAt(30) });
  await read(song, { to: byteAt(20) });
  await read(song, { from: byteAt(10), to: byteAt(25) });
  expect(await deliveredMs()).toBe(30_000);
});

test("what waits in a connection that is held back does not count", async () => {
  const { song, open, passTime } = await listening();
  const body = await open(song);
  passTime(60_000);
  const reader = body?.getReader();
  await reader?.read();
  expect(await deliveredMs()).toBeLessThan(10_000);
  await reader?.cancel();
});

test("another song ends the delivery", async () => {
  const { song, listener, read, sinceStart } = await listening();
  let closedAt = 0;
  const delivered = await read(song, {
    async after({ at }) {
      if (closedAt > 0 || at < 20_000) return;
      closedAt = at;
      const other = await makeSong(await makeUser());
      const listen = { id: "other", userId: listener.id, songId: other.id, requiredSeconds: 55 };
      await runBatch(db, openListen(db, listen, baseTime + at));
    },
  });
  expect(delivered?.why).toMatch(/The listen is over, or the file is another one/);
  expect(sinceStart()).toBeLessThan(closedAt + 12_000);
  expect(await deliveredMs()).toBe(0);
  expect(await read(song)).toBe(null);
});

test("and nothing that an earlier listen was delivered counts for a later one", async () => {
  const { song, listener, read, listenId } = await listening();
  await read(song, {
    leaveAt: byteAt(30),
    async after({ to }) {
      if (to < byteAt(29)) return;
      const listen = { id: "again", userId: listener.id, songId: song.id, requiredSeconds: 55 };
      await runBatch(db, openListen(db, listen, baseTime + 20_000));
    },
  });
  expect(await deliveredMs()).toBe(0);
  expect(await read(song, { listenId })).toBe(null);
});

test("a song that was rated plays on", async () => {
  const { song, listenId, read } = await listening();
  const delivered = await read(song, {
    async after({ at }) {
      if (at < 70_000) return;
      await env.DB.prepare(
        "UPDATE listens SET finished_at = started_at + 60000, evidence = 'delivery', closed_at = started_at + 61000 WHERE id = ?",
      )
        .bind(listenId)
        .run();
    },
  });
  expect(delivered?.broken).toBe(false);
  expect(delivered?.bytes.length).toBe(bytes);
});

test("a file that is deleted while it plays breaks off", async () => {
  const { song, read } = await listening();
  const delivered = await read(song, {
    after: ({ at }) =>
      at > 20_000 ? env.RECORDINGS.delete(`${song.recording.id}/audio`) : undefined,
  });
  expect(delivered?.why).toMatch(/The listen is over, or the file is another one/);
  expect(delivered?.bytes.length).toBeLessThan(byteAt(60));
});

test("a file that is replaced while it plays breaks off, and counts no more", async () => {
  const { song, read } = await listening();
  for (let rater = 1; rater <= 5; rater++) await makeRating(await makeUser(), song);
  let isReplaced = false;
  const delivered = await read(song, {
    async after({ at }) {
      if (isReplaced || at < 15_000) return;
      isReplaced = true;
      await giveNewMix(song);
    },
  });
  expect(delivered?.why).toMatch(/The listen is over, or the file is another one/);
  expect(await deliveredMs()).toBeNull();
});

test("bytes of a file under the same key are never mixed with another's", async () => {
  const { song, read } = await listening();
  const key = `${song.recording.id}/audio`;
  const other = bytesOf({ from: 7, to: bytes + 7 });
  let isReplaced = false;
  const delivered = await read(song, {
    async after({ at }) {
      if (isReplaced || at < 20_000) return;
      isReplaced = true;
      await env.RECORDINGS.put(key, other);
    },
  });
  expect(delivered?.why).toMatch(/The listen is over, or the file is another one/);
  const got = delivered?.bytes ?? [];
  expect(new Uint8Array(got)).toEqual(bytesOf({ from: 0, to: got.length }));
});

test("a database that fails does not stop the sound", async () => {
  const { song, read, services } = await listening();
  let fails = false;
  const failing = {
    prepare: (sql: string) =>
      env.DB.prepare(fails && /^update/i.test(sql) ? "SELECT no_such" : sql),
    batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
  } as unknown as D1Database;
  Object.assign(services, { db: createDatabase(failing) });
  const delivered = await read(song, {
    after({ at }) {
      fails = at > 20_000 && at < 80_000;
    },
  });
  expect(delivered?.broken).toBe(false);
  expect(await deliveredMs()).toBe(180_000);
});

test("what is behind the sound comes at once, the sound before it in time", async () => {
  const file = { ...threeMinutes, bytes: 2_984_000, audioEnd: 2_884_000 };
  const { song, read } = await listening(file);
  const tail = await read(song, { from: 2_884_000 });
  expect(tail?.chunks.at(-1)).toMatchObject({ at: 0, to: file.bytes });
  expect(await deliveredMs()).toBe(0);
  const whole = await read(song);
  expectInTime(whole?.chunks.filter(({ to }) => to <= 2_884_000) ?? [], file);
  expect(await deliveredMs()).toBe(180_000);
});

test("the first and second byte come at once, as Safari asks for them", async () => {
  const { song, read } = await listening();
  const probe = await read(song, { from: 0, to: 2 });
  expect(probe).toMatchObject({ bytes: [0, 1], broken: false });
  expect(probe?.chunks[0]?.at).toBe(0);
});

test("a file of forty megabytes is read in some three hundred parts", async () => {
  const big = { bytes: 40_000_000, durationMs: 600_000, audioStart: 44, audioEnd: null };
  const { song, services, read } = await listening(big);
  let reads = 0;
  const files = {
    get: (...asked: Parameters<R2Bucket["get"]>) => {
      reads += 1;
      return env.RECORDINGS.get(...asked);
    },
  } as unknown as R2Bucket;
  Object.assign(services, { files });
  const delivered = await read(song, { leaveAt: big.bytes });
  expect(delivered?.chunks.at(-1)?.to).toBe(big.bytes);
  expect(reads).toBeLessThan(310);
});
