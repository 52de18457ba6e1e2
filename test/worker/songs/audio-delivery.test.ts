import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { createDatabase } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { openListen } from "~/exchange/listening/listens.server";
import { type PacedFile, playedBefore } from "~/sources/files/pacing";
import { baseTime, makeListen, makePackage } from "../../support/database/factories";
import { change, db, rows } from "../../support/database/rows";
import { type Cast, fill, someone, song } from "../../support/people";
import { type Chunk, connections } from "../../support/recordings/connections";
import {
  bytesOf,
  giveNewMix,
  makeSongWithFile,
  threeMinutes,
} from "../../support/recordings/own-song";

const { bytes, audioStart } = threeMinutes;
const byteAt = (seconds: number) => audioStart + seconds * 16_000;
const brokenOff = /The listen is over, or the file is another one/;

async function listening(file: PacedFile = threeMinutes) {
  const it = await makeSongWithFile(await someone(), file);
  const listener = await someone();
  await makePackage(listener, [it]);
  const listenId = await makeListen(listener, it, { startedAt: baseTime });
  const viewer = await listener.viewer();
  return { it, listener, viewer, listenId, ...connections(viewer, baseTime) };
}

/** Null where no listen is open. */
async function deliveredMs(): Promise<number | null> {
  const [open] = await rows("listens", { closedAt: null });
  return open?.deliveredMs ?? null;
}

function expectInTime(chunks: Chunk[] = [], file: PacedFile = threeMinutes): void {
  for (const { at, to } of chunks) {
    expect(playedBefore(file, to)).toBeLessThanOrEqual(10_000 + 1.1 * at);
  }
}

/** The bucket, which tells of each read. */
function watched(onGet: (length: number) => void): R2Bucket {
  return new Proxy(env.RECORDINGS, {
    get(target, name: keyof R2Bucket) {
      const method = (target[name] as (...args: unknown[]) => unknown).bind(target);
      if (name !== "get") return method;
      return (key: string, options: { range: { length: number } }) => {
        onGet(options.range.length);
        return method(key, options);
      };
    },
  });
}

/** The database, with other statements in place of its updates. */
function updating(rewrite: (sql: string) => string) {
  const prepare = (sql: string) => env.DB.prepare(/^update/i.test(sql) ? rewrite(sql) : sql);
  const batch = (statements: D1PreparedStatement[]) => env.DB.batch(statements);
  return createDatabase({ prepare, batch } as unknown as D1Database);
}

test("a song is delivered whole, no byte before its time, and none later than it plays", async () => {
  const { it, read, sinceStart } = await listening();
  const delivered = await read(it);
  expect(new Uint8Array(delivered?.bytes ?? [])).toEqual(bytesOf({ from: 0, to: bytes }));
  expectInTime(delivered?.chunks);
  for (const { at, to } of delivered?.chunks ?? []) {
    expect(playedBefore(threeMinutes, to)).toBeGreaterThan(Math.min(at, 179_999));
  }
  // Ten seconds of the three minutes were ahead, and the rest comes a tenth faster.
  expect(Math.round(sinceStart() / 1000)).toBe(155);
  expect(await deliveredMs()).toBe(180_000);
});

test("what is delivered is noted as soon as it is enough to rate, and now and then", async () => {
  const { it, read, services } = await listening();
  let updates = 0;
  const counting = updating((sql) => {
    updates += 1;
    return sql;
  });
  Object.assign(services, { db: counting });
  let noted: number | null = null;
  await read(it, {
    async after({ at, to }) {
      if (noted !== null || to < byteAt(57)) return;
      noted = await deliveredMs();
      expect(at).toBeLessThan(45_000);
    },
  });
  expect(noted).toBeGreaterThanOrEqual(55_000);
  expect(updates).toBeLessThan(20);
});

test("eight connections get nothing sooner than one", async () => {
  const { it, read } = await listening();
  const edge = (part: number) => Math.floor((bytes / 8) * part);
  const parts = Array.from({ length: 8 }, (_, part) =>
    read(it, { from: edge(part), to: edge(part + 1) }),
  );
  const chunks = (await Promise.all(parts)).map((one) => one?.chunks ?? []);
  for (const one of chunks) expectInTime(one);
  expect(chunks.flat().reduce((sum, { from, to }) => sum + to - from, 0)).toBe(bytes);
});

test("connections that wait for the end read nothing of it before", async () => {
  const { it, viewer } = await listening();
  const read: unknown[] = [];
  const { open } = connections(viewer, baseTime, {
    files: watched((length) => read.push(length)),
    wait: (_ms, left) =>
      new Promise((_, reject) => left.addEventListener("abort", () => reject(new Error("left")))),
  });
  const bodies = await Promise.all(
    Array.from({ length: 60 }, (_, n) => open(it, { from: byteAt(60) + n })),
  );
  expect([bodies.every(Boolean), read]).toEqual([true, []]);
  await Promise.all(bodies.map((body) => body?.cancel()));
});

test("of those that are not taken there are eight for a listen, each with a small part of the file", async () => {
  const { it, viewer, read } = await listening({ ...threeMinutes, bytes: 30_000_000 });
  const parts: number[] = [];
  const files = watched((length) => parts.push(length));
  const { open } = connections(viewer, baseTime, { files });
  const bodies = await Promise.all(Array.from({ length: 8 }, () => open(it)));
  expect([parts.length, Math.max(...parts) <= 131_072]).toEqual([8, true]);
  await expect(open(it)).rejects.toThrow("Try again in a moment.");
  // Of the end nothing is due, and so nothing is held.
  await (await open(it, { from: 20_000_000 }))?.cancel();
  await Promise.all(bodies.map((body) => body?.cancel()));
  await vi.waitFor(async () => (await open(it))?.cancel());
  expect((await read(it, { to: 100_000 }))?.bytes).toHaveLength(100_000);
});

test("the end alone, when its time has come, does not count", async () => {
  const { it, read } = await listening();
  const delivered = await read(it, { from: byteAt(50) });
  expectInTime(delivered?.chunks);
  expect(delivered?.chunks[0]?.at).toBeGreaterThan(36_000);
  expect(await deliveredMs()).toBe(0);
});

test.each([
  ["what is asked for again once", [0, 30], [0, 20], [10, 25], 30_000],
  ["a part beyond what was delivered not at all", [0, 8], [9, 60], [9, 10], 8_000],
] as const)("of parts in any order counts %s", async (_, one, two, three, counted) => {
  const { it, read } = await listening();
  for (const [from, to] of [one, two, three]) {
    await read(it, { from: from === 0 ? 0 : byteAt(from), to: byteAt(to) });
  }
  expect(await deliveredMs()).toBe(counted);
});

test("a connection that breaks goes on where it was", async () => {
  const { it, read } = await listening();
  const first = await read(it, { leaveAt: byteAt(20) });
  const got = first?.chunks.at(-1)?.to ?? 0;
  const noted = await deliveredMs();
  expect(noted).toBeGreaterThanOrEqual(playedBefore(threeMinutes, got));
  expect(noted).toBeLessThanOrEqual(21_000);
  const second = await read(it, { from: got, to: byteAt(60) });
  expectInTime(second?.chunks);
  expect(second?.bytes[0]).toBe(got % 251);
  expect(await deliveredMs()).toBe(60_000);
});

test("what waits in a connection that is held back does not count", async () => {
  const { it, open, passTime } = await listening();
  const reader = (await open(it))?.getReader();
  passTime(60_000);
  await reader?.read();
  expect(await deliveredMs()).toBeLessThan(10_000);
  await reader?.cancel();
});

type World = Cast<typeof listening>;

/** Another listen of theirs begins, by the clock of the connections. */
async function beginListen(world: World, songId: string): Promise<void> {
  const listen = { id: "other", userId: world.listener.id, songId, requiredSeconds: 55 };
  await runBatch(db, openListen(db, listen, world.services.now()));
}

const key = ({ it }: World) => `${it.recording.id}/audio`;

test.each<[string, number | null | undefined, (world: World) => Promise<unknown>]>([
  ["another song is played", 0, async (world) => beginListen(world, (await song()).id)],
  ["the file is deleted", undefined, (world) => env.RECORDINGS.delete(key(world))],
  ["the file is replaced by a new mix", null, ({ it }) => giveNewMix(it)],
  [
    "another file has the same key",
    undefined,
    (world) => env.RECORDINGS.put(key(world), bytesOf({ from: 7, to: bytes + 7 })),
  ],
])(
  "once %s, the delivery breaks off, with none of another file's bytes",
  async (_, noted, happen) => {
    const world = await listening();
    if (noted === null) await fill(world.it);
    let isOver = false;
    const delivered = await world.read(world.it, {
      async after({ at }) {
        if (isOver || at < 20_000) return;
        isOver = true;
        await happen(world);
      },
    });
    expect(delivered?.why).toMatch(brokenOff);
    const got = delivered?.bytes ?? [];
    expect(got.length).toBeLessThan(byteAt(60));
    expect(new Uint8Array(got)).toEqual(bytesOf({ from: 0, to: got.length }));
    if (noted !== undefined) expect(await deliveredMs()).toBe(noted);
    if (noted === 0) expect(await world.read(world.it)).toBe(null);
  },
);

test("nothing that an earlier listen was delivered counts for a later one", async () => {
  const world = await listening();
  const { it, read, listenId } = world;
  await read(it, {
    leaveAt: byteAt(30),
    async after({ to }) {
      if (to >= byteAt(29)) await beginListen(world, it.id);
    },
  });
  expect(await deliveredMs()).toBe(0);
  expect(await read(it, { listenId })).toBe(null);
});

test("a song that was rated plays on", async () => {
  const { it, listenId: id, read } = await listening();
  const delivered = await read(it, {
    async after({ at }) {
      if (at < 70_000) return;
      const heard = { finishedAt: baseTime + 60_000, closedAt: baseTime + 61_000 };
      await change("listens", { id }, { ...heard, evidence: "delivery" });
    },
  });
  expect([delivered?.broken, delivered?.bytes.length]).toEqual([false, bytes]);
});

test("a database that fails does not stop the sound", async () => {
  const { it, read, services } = await listening();
  let fails = false;
  Object.assign(services, { db: updating((sql) => (fails ? "SELECT no_such" : sql)) });
  const delivered = await read(it, {
    after({ at }) {
      fails = at > 20_000 && at < 80_000;
    },
  });
  expect(delivered?.broken).toBe(false);
  expect(await deliveredMs()).toBe(180_000);
});

test("what is behind the sound comes at once, the sound before it in time", async () => {
  const audioEnd = 2_884_000;
  const file = { ...threeMinutes, bytes: 2_984_000, audioEnd };
  const { it, read } = await listening(file);
  const tail = await read(it, { from: audioEnd });
  expect(tail?.chunks.at(-1)).toMatchObject({ at: 0, to: file.bytes });
  expect(await deliveredMs()).toBe(0);
  const whole = await read(it);
  expectInTime(
    whole?.chunks.filter(({ to }) => to <= audioEnd),
    file,
  );
  expect(await deliveredMs()).toBe(180_000);
});

test("the first and second byte come at once, as Safari asks for them", async () => {
  const { it, read } = await listening();
  const probe = await read(it, { from: 0, to: 2 });
  expect(probe).toMatchObject({ bytes: [0, 1], broken: false, chunks: [{ at: 0 }] });
});

test("a file of forty megabytes is read in some three hundred parts", async () => {
  const big = { bytes: 40_000_000, durationMs: 600_000, audioStart: 44, audioEnd: null };
  const { it, services, read } = await listening(big);
  let reads = 0;
  Object.assign(services, {
    files: watched(() => {
      reads += 1;
    }),
  });
  const delivered = await read(it, { leaveAt: big.bytes });
  expect(delivered?.chunks.at(-1)?.to).toBe(big.bytes);
  expect(reads).toBeLessThan(310);
});
