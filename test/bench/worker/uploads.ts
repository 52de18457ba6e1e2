/**
 * `npm run bench -- uploads`: forty slow uploads and ten listeners at once, and how much memory the Worker's isolate has
 * then. Beside it stands the process, which holds the local bucket and database too. Meanwhile somebody uploads a song as
 * fast as it goes, and the listeners let go before the end. Prints a Markdown table. Exits with 1 if the isolate has more
 * than 100 MB, if that song is neither taken nor asked to come back, or if an error is logged that nobody has caught.
 */
import { readFileSync } from "node:fs";
import { Agent, type ClientRequest, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { listenRow, type Row } from "../../sandbox/rows.ts";
import { sessionFor } from "../session.ts";
import { bindings, fill, type ServedWorker, serveWorker } from "./served-worker.ts";

const slowUploads = 40;
const listeners = 10;
const uploadsOfOne = 2;
const allowedMegabytes = 100;
const watchedSeconds = 45;
/** What every second slow upload brings at once, just less than the bucket takes as a part; the others begin slowly. */
const atOnce = 5_200_000;
/** Every two seconds. */
const pieceBytes = 65_536;
const fileBytes = 20_000_000;
const soundBytes = 10_000_000;
const agent = new Agent({ maxSockets: Infinity });

const ratelimits = Object.fromEntries(
  ["LIMIT_LOGIN", "LIMIT_STRICT", "LIMIT_NORMAL", "LIMIT_WIDE"].map((name, index) => [
    name,
    { namespace_id: String(index + 1), simple: { limit: 1_000_000_000, period: 60 as const } },
  ]),
);

const uncaught: string[] = [];
const worker = await serveWorker("build/index.js", {
  ratelimits,
  direct: true,
  onLog(line) {
    if (/uncaught/i.test(line)) uncaught.push(line);
  },
});
try {
  await measure(worker);
} finally {
  agent.destroy();
  await worker.close();
}

async function measure({ database, files, pid, heapBytes }: ServedWorker): Promise<void> {
  await fill(database);
  const cookies = await membersOf(database);
  const songPath = await makeListeners(database, files, cookies.slice(0, listeners));
  for (let n = 0; n < 2; n += 1) await upload(cookies.at(-1), 8_000_000).answer;
  await wait(3000);
  const look = async () => ({
    isolate: Math.round((await heapBytes()) / 1024 ** 2),
    process: residentMegabytes(pid),
  });
  const before = await look();
  const most = { ...before };
  const watching = setInterval(async () => {
    const now = await look();
    most.isolate = Math.max(most.isolate, now.isolate);
    most.process = Math.max(most.process, now.process);
  }, 200);
  const heard = cookies.slice(0, listeners).map((cookie) => listen(songPath, cookie));
  const slow = Array.from({ length: slowUploads }, (_, n) =>
    upload(cookies[Math.floor(n / uploadsOfOne)], fileBytes, {
      slowFrom: n % 2 === 0 ? atOnce : 0,
    }),
  );
  await wait((watchedSeconds * 1000) / 3);
  const begun = Date.now();
  const fast = await upload(cookies.at(-1), 8_000_000).answer;
  const fastMs = Date.now() - begun;
  await wait((watchedSeconds * 1000) / 3);
  for (const one of heard) one.destroy();
  await wait((watchedSeconds * 1000) / 3);
  const refused = (await Promise.all(slow.map(({ state }) => state))).filter(
    (code) => code === 503,
  );
  for (const { end } of slow) end();
  await wait(3000);
  clearInterval(watching);
  console.log(
    "| slow uploads | of these asked to come back | listeners | a fast upload meanwhile | isolate before | at most | process before | at most |",
  );
  console.log("|--:|--:|--:|--:|--:|--:|--:|--:|");
  console.log(
    `| ${slowUploads} | ${refused.length} | ${listeners} | ${fast} after ${(fastMs / 1000).toFixed(1)} s | ${before.isolate} MB | ${most.isolate} MB | ${before.process} MB | ${most.process} MB |`,
  );
  console.log(`\nErrors that nobody has caught: ${uncaught.length}.`);
  for (const line of new Set(uncaught)) console.log(`- ${line.slice(0, 300)}`);
  if (most.isolate > allowedMegabytes || ![303, 503].includes(fast) || uncaught.length > 0)
    process.exitCode = 1;
}

function residentMegabytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

/** Cookies of members who may submit. */
async function membersOf(database: D1Database): Promise<string[]> {
  await database.prepare("UPDATE users SET credits = 99, rated_count = rated_count + 99").run();
  const { results } = await database
    .prepare("SELECT id FROM users ORDER BY id LIMIT ?")
    .bind(slowUploads / uploadsOfOne + 1)
    .all<{ id: string }>();
  const secret = bindings.SESSION_SECRET ?? "";
  return Promise.all(results.map(({ id }) => sessionFor(database, id, secret)));
}

/** Gives these members a long recording of somebody else's to listen to. @returns where its sound is. */
async function makeListeners(
  database: D1Database,
  files: R2Bucket,
  cookies: string[],
): Promise<string> {
  const song = await database
    .prepare(
      "SELECT id, own_recording_id AS recording FROM songs WHERE own_recording_id IS NOT NULL",
    )
    .first<{ id: string; recording: string }>();
  if (!song) throw new Error("The seed has no own recording.");
  await files.put(`${song.recording}/audio`, new Uint8Array(soundBytes));
  await database
    .prepare("UPDATE recordings SET bytes = ?, audio_start = 44, duration_ms = 57000 WHERE id = ?")
    .bind(soundBytes, song.recording)
    .run();
  const { results } = await database
    .prepare(
      `SELECT id FROM users WHERE id IN (SELECT id FROM users ORDER BY id LIMIT ?)
         AND id <> (SELECT owner_id FROM songs WHERE id = ?)`,
    )
    .bind(cookies.length, song.id)
    .all<{ id: string }>();
  for (const { id: userId } of results) {
    const about = { user_id: userId, song_id: song.id, started_at: Date.now() };
    await database.prepare("DELETE FROM packages WHERE user_id = ?").bind(userId).run();
    await insert(database, "packages", {
      id: `bench-${userId}`,
      user_id: userId,
      number: 1,
      drawn_at: Date.now(),
    });
    await insert(database, "package_songs", {
      package_id: `bench-${userId}`,
      song_id: song.id,
      position: 0,
    });
    await database
      .prepare("UPDATE listens SET closed_at = started_at WHERE user_id = ? AND closed_at IS NULL")
      .bind(userId)
      .run();
    await insert(database, "listens", listenRow({ id: `bench-${userId}`, ...about }));
  }
  return `/songs/${song.id}/audio`;
}

async function insert(database: D1Database, table: string, row: Row): Promise<void> {
  const columns = Object.keys(row);
  const places = columns.map(() => "?").join(", ");
  await database
    .prepare(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`)
    .bind(...Object.values(row))
    .run();
}

function listen(path: string, cookie: string): ClientRequest {
  const { hostname, port } = worker.url;
  const asked = request({ agent, hostname, port, path, headers: { Cookie: cookie } }, (answer) => {
    if (answer.statusCode !== 200) throw new Error(`A listener got ${answer.statusCode}.`);
    answer.on("error", () => undefined).resume();
  });
  asked.on("error", () => undefined).end();
  return asked;
}

/** `answer` is its status, 0 where it ends without one; `state` the same, but null as long as there is none. */
function upload(cookie = "", bytes: number, { slowFrom = bytes } = {}) {
  const field = (name: string) =>
    `\r\n--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
  const start = Buffer.from(
    `${field("title")}A song${field("rights")}yes${field("file")}`.slice(2),
  );
  const end = Buffer.from("\r\n--b--");
  const { hostname, port } = worker.url;
  const headers = {
    ...{ Cookie: cookie, Accept: "text/html", "Content-Type": "multipart/form-data; boundary=b" },
    "Content-Length": start.length + bytes + end.length,
  };
  let status: number | null = null;
  const asked = request({ agent, hostname, port, path: "/recordings", method: "POST", headers });
  const answer = new Promise<number>((resolve) => {
    const tell = (code: number) => {
      status ??= code;
      resolve(status);
    };
    asked.on("response", (response) => {
      response.resume();
      tell(response.statusCode ?? 0);
    });
    asked.on("error", () => tell(0));
    asked.on("close", () => tell(0));
  });
  const file = wavOf(bytes);
  asked.write(start);
  if (slowFrom < bytes) void sendSlowly();
  else {
    asked.write(file);
    asked.end(end);
  }
  return {
    answer,
    get state() {
      return status;
    },
    end: () => asked.destroy(),
  };

  async function sendSlowly(): Promise<void> {
    asked.write(file.subarray(0, slowFrom));
    for (let at = slowFrom; at + pieceBytes < bytes && status === null; at += pieceBytes) {
      await wait(2000);
      asked.write(file.subarray(at, at + pieceBytes));
    }
  }
}

/** 16 bits, two channels, 44,100 times a second. Each is another one. */
function wavOf(bytes: number): Buffer {
  const file = Buffer.alloc(bytes);
  file.write("RIFF", 0);
  file.writeUInt32LE(bytes - 8, 4);
  file.write("WAVEfmt ", 8);
  for (const [at, value] of [
    [16, 16],
    [24, 44_100],
    [28, 176_400],
  ] as const)
    file.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 2],
    [32, 4],
    [34, 16],
  ] as const)
    file.writeUInt16LE(value, at);
  file.write("data", 36);
  file.writeUInt32LE(bytes - 44, 40);
  file.writeDoubleLE(Math.random(), 44);
  return file;
}
