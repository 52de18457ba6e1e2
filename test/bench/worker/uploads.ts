/**
 * `npm run bench -- uploads`: forty slow uploads and ten listeners at once, and how much memory the Worker's isolate has
 * then, with what is not collected yet. Meanwhile somebody uploads a song as fast as it goes, and the listeners let go
 * before the end. Exits with 1 if the isolate has more than its budget, if that song is neither taken nor asked to come back,
 * or if an error is logged that nobody has caught.
 */
import { Agent, type ClientRequest, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { listenRow } from "../../sandbox/rows.ts";
import { budgets } from "../../support/budgets.ts";
import { makeWav } from "../../support/recordings/sound-files.ts";
import { printTable } from "../tables.ts";
import { fill, insert, serveWorker, sessionFor, unlimited } from "./served-worker.ts";

const slowUploads = 40;
const listeners = 10;
/** How long all wait before the fast upload, then before the listeners go, then before the end. */
const phaseMs = 15_000;
/** What every second slow upload brings at once, just less than the bucket takes as a part; the others begin slowly. */
const atOnce = 5_200_000;
/** Every two seconds. */
const pieceBytes = 65_536;
const cd = { wavRate: 44_100, channels: 2 };
const [slowFile, fastFile] = [makeWav(113, cd), makeWav(45, cd)];
const soundBytes = 10_000_000;
const agent = new Agent({ maxSockets: Infinity });

const uncaught = new Set<string>();
const { url, server, database, close } = await serveWorker("build/index.js", {
  ...{ direct: true, shared: { inspectorPort: 0 }, worker: { ratelimits: unlimited } },
  onLog(line) {
    if (/uncaught/i.test(line)) uncaught.add(line.slice(0, 300));
  },
});
try {
  await fill(database);
  const cookies = await membersOf();
  const last = cookies.at(-1) ?? "";
  const heard = cookies.slice(0, listeners);
  const songPath = await makeListeners(heard.length);
  for (let n = 0; n < 2; n += 1) await upload(last, fastFile).answer;
  await wait(3000);
  const heapBytes = await heapReader();
  const before = await heapBytes();
  let most = before;
  const watching = setInterval(async () => {
    most = Math.max(most, await heapBytes());
  }, 200);
  const listening = heard.map((cookie) => listen(songPath, cookie));
  const slow = Array.from({ length: slowUploads }, (_, n) =>
    upload(cookies[Math.floor(n / 2)] ?? "", slowFile, n % 2 === 0 ? atOnce : 0),
  );
  await wait(phaseMs);
  const begun = Date.now();
  const fast = await upload(last, fastFile).answer;
  const fastSeconds = (Date.now() - begun) / 1000;
  await wait(phaseMs);
  for (const one of listening) one.destroy();
  await wait(phaseMs);
  const refused = slow.filter(({ status }) => status() === 503).length;
  for (const { asked } of slow) asked.destroy();
  clearInterval(watching);
  const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`;
  printTable(
    [`${slowUploads} slow uploads, ${listeners} listeners`, ""],
    [
      ["slow uploads asked to come back", refused],
      ["a fast upload meanwhile", `${fast} after ${fastSeconds.toFixed(1)} s`],
      ["isolate before", megabytes(before)],
      ["isolate at most", megabytes(most)],
      ["errors that nobody has caught", [...uncaught].join(" ") || "none"],
    ],
  );
  const isTooMuch = most > budgets.megabytes * 1024 ** 2;
  if (isTooMuch || ![303, 503].includes(fast) || uncaught.size > 0) process.exitCode = 1;
} finally {
  agent.destroy();
  await close();
}

async function heapReader(): Promise<() => Promise<number>> {
  const socket = new WebSocket(new URL("/core:user:measured", await server.getInspectorURL()));
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  return () =>
    new Promise((resolve) => {
      const told = ({ data }: MessageEvent) => {
        const { result } = JSON.parse(String(data));
        resolve(result.usedSize + result.embedderHeapUsedSize + result.backingStorageSize);
      };
      socket.addEventListener("message", told, { once: true });
      socket.send(JSON.stringify({ id: 1, method: "Runtime.getHeapUsage" }));
    });
}

async function rowsOf(sql: string, ...params: unknown[]): Promise<Record<string, string>[]> {
  const bound = database.prepare(sql).bind(...params);
  return (await bound.all<Record<string, string>>()).results;
}

/** Cookies of members who may submit: one for two slow uploads each, and one more. */
async function membersOf(): Promise<string[]> {
  await rowsOf("UPDATE users SET credits = 99, rated_count = rated_count + 99");
  const rows = await rowsOf("SELECT id FROM users ORDER BY id LIMIT ?", slowUploads / 2 + 1);
  return Promise.all(rows.map(({ id = "" }) => sessionFor(database, id)));
}

/** Gives the first members a long recording of somebody else's to listen to. @returns where its sound is. */
async function makeListeners(count: number): Promise<string> {
  const [song] = await rowsOf("SELECT * FROM songs WHERE own_recording_id IS NOT NULL");
  if (!song) throw new Error("The seed has no own recording.");
  const { id: song_id = "", own_recording_id: recording } = song;
  const files = await server.getR2Bucket("RECORDINGS");
  await files.put(`${recording}/audio`, new Uint8Array(soundBytes));
  await rowsOf(
    "UPDATE recordings SET bytes = ?, audio_start = 44, duration_ms = 57000 WHERE id = ?",
    ...[soundBytes, recording],
  );
  const members = await rowsOf("SELECT id FROM users ORDER BY id LIMIT ?", count);
  const [now, position] = [Date.now(), 0];
  for (const { id: user_id = "" } of members.filter(({ id }) => id !== song.owner_id)) {
    const [id, package_id] = [`bench-${user_id}`, `bench-${user_id}`];
    await rowsOf("DELETE FROM packages WHERE user_id = ?", user_id);
    await insert(database, "packages", { id, user_id, number: 1, drawn_at: now });
    await insert(database, "package_songs", { package_id, song_id, position });
    await rowsOf(
      "UPDATE listens SET closed_at = started_at WHERE user_id = ? AND closed_at IS NULL",
      user_id,
    );
    await insert(database, "listens", listenRow({ id, user_id, song_id, started_at: now }));
  }
  return `/songs/${song_id}/audio`;
}

function listen(path: string, cookie: string): ClientRequest {
  const asked = request(new URL(path, url), { agent, headers: { Cookie: cookie } }, (answer) => {
    if (answer.statusCode !== 200) throw new Error(`A listener got ${answer.statusCode}.`);
    answer.on("error", () => undefined).resume();
  });
  asked.on("error", () => undefined).end();
  return asked;
}

/**
 * Uploads a file, each time another one, and slowly from a byte on if that is given.
 * @returns the request; the `status` that came, null as long as there is none; and the `answer`, which is 0
 *   where it ends without one.
 */
function upload(cookie: string, contents: Uint8Array, slowFrom = contents.length) {
  const file = Buffer.from(contents);
  file.writeDoubleLE(Math.random(), file.length - 8);
  const field = (name: string) =>
    `\r\n--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
  const start =
    `${field("title")}A song${field("rights")}yes${field("made")}people${field("file")}`.slice(2);
  const end = "\r\n--b--";
  const headers = {
    ...{ Cookie: cookie, Accept: "text/html", "Content-Type": "multipart/form-data; boundary=b" },
    "Content-Length": start.length + file.length + end.length,
  };
  let status: number | null = null;
  const asked = request(new URL("/recordings", url), { agent, method: "POST", headers });
  const answer = new Promise<number>((resolve) => {
    const tell = (code: number) => {
      status ??= code;
      resolve(status);
    };
    asked.on("response", (response) => tell(response.resume().statusCode ?? 0));
    for (const ended of ["error", "close"]) asked.on(ended, () => tell(0));
  });
  asked.write(start);
  void send();
  return { asked, answer, status: () => status };

  async function send(): Promise<void> {
    asked.write(file.subarray(0, slowFrom));
    for (let at = slowFrom; at < file.length; at += pieceBytes) {
      await wait(2000);
      if (status !== null) return;
      asked.write(file.subarray(at, at + pieceBytes));
    }
    asked.end(end);
  }
}
