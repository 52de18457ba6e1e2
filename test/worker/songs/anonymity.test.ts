/**
 * Nobody learns who rated a song (rule 5, anonymity). If two histories differ only in who gave which
 * rating, the song's owner gets the same responses in both, byte for byte. Clock and random numbers
 * are the same in both, so that nothing has to be left out of the comparison.
 */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reasonBits } from "~/exchange/rating/reasons";
import { ratingScale } from "~/exchange/rating/scale";
import { unsubscribeToken } from "~/mailing/unsubscribe.server";
import { minuteMs as minute } from "~/platform/dates";
import { readConfig } from "~/platform/env";
import { trackOf } from "../../support/catalogue";
import { contents } from "../../support/database/contents";
import { freePrice, insert, makeListen, makeRating } from "../../support/database/factories";
import { change, rows } from "../../support/database/rows";
import { addressOf, deliver, mailsTo } from "../../support/mails";
import { pages } from "../../support/pages";
import { type Cast, idsOf, type Someone, someone, song } from "../../support/people";
import { dataOf } from "../../support/request";
import { control } from "../../support/sandbox";

type Song = Cast<typeof song>;

const { sessionSecret } = readConfig(env);
let clock: number;
/** What a stopped clock shows. */
let stopped: number;

beforeEach(() => {
  const hourAgo = Date.now() - 60 * minute;
  // A time that nothing else has; and not a whole minute, because owners may know the minute.
  clock = hourAgo - (hourAgo % minute) + 12_345;
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Stops the clock at a time, and restarts the random numbers from a seed, a digit. */
function stopClock(at: number, seed: number): void {
  let drawn = 0;
  function draw(): number {
    drawn += 1;
    return drawn;
  }
  const prefix = String(seed).repeat(8);
  const uuid = () => `${prefix}-0000-4000-8000-${String(draw()).padStart(12, "0")}` as const;
  stopped = at;
  vi.spyOn(Date, "now").mockImplementation(() => stopped);
  vi.spyOn(crypto, "randomUUID").mockImplementation(uuid);
  vi.spyOn(Math, "random").mockImplementation(() => (draw() * 0.618) % 1);
}

interface World {
  owner: Someone;
  songs: [Song, Song];
  raters: [Someone, Someone];
  /** All rows from before the ratings. */
  rows: Record<string, unknown[]>;
}

async function musicianOf(musician: string, options: Parameters<typeof someone>[0]) {
  await control("reset", { musician });
  return someone({ credits: freePrice, musician, ...options });
}

/** Two songs of one owner, and two raters who have heard both; each rater has a song as well. */
async function makeWorld(tier: "free" | "premium"): Promise<World> {
  const owner = await musicianOf("amadou-sarr-lo", { tier });
  const songs: World["songs"] = [await song({ owner }), await song({ owner })];
  const rater = async (musician: string): Promise<Someone> => {
    const ownEmail = `${musician}@elsewhere.example`;
    const one = await musicianOf(musician, { ownEmail, offered: songs });
    await change("users", { id: one.id }, { imageUrl: `https://i.scdn.co/image/${one.id}` });
    await song({ owner: one });
    const heard = { startedAt: clock - 3 * minute, finishedAt: clock - 2 * minute };
    for (const it of songs) await makeListen(one, it, { ...heard, closedAt: clock - minute });
    return one;
  };
  const raters: World["raters"] = [await rater("rafe-dunmorrow"), await rater("davor-mihalic")];
  for (const one of [owner, ...raters]) await one.login();
  return { owner, songs, raters, rows: await contents() };
}

/** Restores the database, and empties the owner's mailbox. */
async function restore({ rows, owner }: World): Promise<void> {
  await env.DB.batch([
    env.DB.prepare("PRAGMA defer_foreign_keys = ON"),
    ...Object.keys(rows).map((table) => env.DB.prepare(`DELETE FROM "${table}"`)),
    ...Object.entries(rows).flatMap(([table, all]) =>
      all.map((row) => insert(table, row as Record<string, string | number | null>)),
    ),
  ]);
  await control("reset", { musician: addressOf(owner) });
}

async function presses(by: Someone, path: string, form: Record<string, string>): Promise<void> {
  expect((await by.posts(path, form)).status).toBe(303);
}

const rate = (by: Someone, { id }: Song, score: number) =>
  presses(by, `/songs/${id}/rating`, { score: String(score) });

async function sayWhy(by: Someone, { id }: Song, json: Record<string, string[]>): Promise<void> {
  expect((await by.sends(`/songs/${id}/reasons`, json)).status).toBe(200);
}

async function leave(by: Someone): Promise<void> {
  expect((await by.sends("/account/delete")).status).toBe(200);
}

/** A page as it would be if its owner had seen the song's new rating. */
function withoutNews(page: string, { id, title }: Song): string {
  return page
    .replace(/<p class="news-line">.*?<\/p>/, "")
    .replace('<span class="news-dot"><span class="visually-hidden">, new ratings</span></span>', "")
    .replace('<span class="news-dot"></span>', "")
    .replace('aria-label="Menu, new ratings"', 'aria-label="Menu"')
    .replaceAll(JSON.stringify({ songs: 1, only: { songId: id, title } }), "null")
    .replaceAll(
      JSON.stringify({
        ...{ to: `/ratings-of-my-songs/${id}`, title, words: "has a new rating", isNew: true },
      }),
      "null",
    );
}

/** Sends the owner's mails, ten minutes later. */
async function sendMails({ id: userId }: Someone): Promise<void> {
  stopClock(clock + 10 * minute, 3);
  await deliver(idsOf(await rows("outbox", { userId })));
}

/** Everything that somebody gets to see, by request or mail. */
type Seen = Record<string, string>;

/** The responses to all requests that an owner can make, and the mails to the owner. */
async function everythingOf({ owner, songs }: World): Promise<Seen> {
  const [own] = songs;
  const [submission] = idsOf(await rows("submissions", { ownerId: owner.id })).sort();
  const address = addressOf(owner);
  const token = await unsubscribeToken(sessionSecret, { topic: "rating", address });
  const seen: Seen = {};

  async function look(name: string, json?: Record<string, unknown>, path = name) {
    // Otherwise the calls to Spotify would wait for each other for ever.
    stopped += 1000;
    const response = await (json ? owner.sends(path, json) : owner.gets(path));
    // The bookmark is encrypted with random bytes; the rest of the header is compared.
    const headers = [...response.headers]
      .map((header) => header.join(": ").replace(/(?<=__Host-bookmark=)[^;]+/, "sealed"))
      .sort();
    seen[name] = [response.status, ...headers, "", await response.text()].join("\n");
  }

  stopClock(clock + 20 * minute, 4);
  for (const path of [
    ...pages,
    "/?menu=addownsong",
    "/?menu=addownsong&q=mara",
    `/?menu=songaddedtopool&submission=${submission}`,
    `/?rated=${own.id}&favorite=${own.id}`,
    `/ratings-of-my-songs?song=${own.id}`,
    `/ratings-of-my-songs/${own.id}`,
    "/subscription-success?session_id=cs_test_none",
    `/unsubscribe?token=${token}`,
    "/confirm-email?token=none",
    "/no-such-page",
  ]) {
    await look(path);
    if (/^\/($|\?|ratings-of-my-songs)/.test(path)) await look(dataOf(path));
  }
  for (const path of [
    "/player/token",
    "/health",
    "/robots.txt",
    "/sitemap.xml",
    "/site.webmanifest",
    "/webhooks/stripe",
    `/songs/${own.id}/rating`,
    `/ratings-of-my-songs/${own.id}.csv`,
  ]) {
    await look(path);
  }
  for (const [path, json] of Object.entries({
    [`/songs/${own.id}/play`]: {},
    [`/songs/${own.id}/listened`]: {},
    [`/songs/${own.id}/rating`]: { score: 4 },
    [`/songs/${own.id}/favorite`]: {},
    [`/songs/${own.id}/unfavorite`]: {},
    [`/songs/${own.id}/pass`]: { reason: "taste" },
    [`/songs/${own.id}/reasons`]: { liked: "Groove" },
    "/songs/none/play": {},
    "/submissions": {},
    "/email-preference": { receiveRatingEmails: true },
    "/account/email": { address: "no address" },
    "/account/export": {},
    "/portal-session": {},
    "/checkout-session": { priceId: "price_none" },
    "/checkout-session/lookup": { sessionId: "cs_test_none" },
  })) {
    await look(`POST ${path}`, json, path);
  }

  const mails = await mailsTo(address);
  for (const [index, mail] of mails.entries()) {
    // Left out: the key, which recipients do not see, and the sandbox's mail ids and times.
    const { from, to, bcc, replyTo, subject, html, text, headers } = mail;
    const told = { from, to, bcc, replyTo, subject, headers };
    seen[`mail ${index}`] = `${JSON.stringify(told)}\n${html}\n${text}`;
  }
  return seen;
}

/** Whether one of the raters deletes their account before the owner looks. */
const histories = [
  { tier: "free", leaves: false, when: "" },
  { tier: "premium", leaves: true, when: ", after one rater has deleted their account" },
] as const;

test.each(histories)(
  "to a $tier owner all bytes are the same, whoever gave which rating$when",
  async ({ tier, leaves }) => {
    const world = await makeWorld(tier);
    const [one, two] = world.raters;
    const submitted = trackOf("silas-whitcombe", 3);

    async function live(first: Someone, second: Someone): Promise<Seen> {
      await restore(world);
      stopClock(clock, 1);
      await rate(first, world.songs[0], 4);
      // In the same millisecond, so that the ratings differ only in their scores.
      await rate(second, world.songs[0], 1);
      await rate(first, world.songs[1], 3);
      // In both histories the same musician submits a song right after that.
      stopClock(clock + 1000, 2);
      const form = { trackId: submitted.trackId, key: "5f0c3a52-5a43-4a3c-9d0f-3f1b8f6f0a11" };
      await presses(one, "/submissions", form);
      await sendMails(world.owner);
      if (leaves) await leave(one);
      return everythingOf(world);
    }

    const seen = await live(one, two);
    expect(seen["mail 0"]).toContain("Added to my playlist!");
    expect(seen["/ratings-of-my-songs"]).toContain("Great Song");
    expect(seen["/"]?.includes(submitted.title)).toBe(!leaves);
    expect(await live(two, one)).toEqual(seen);
  },
);

test.each(histories)(
  "to a $tier owner all bytes are the same, whatever the ratings of an unfinished step name$when",
  async ({ tier, leaves }) => {
    const world = await makeWorld(tier);
    const [one, two] = world.raters;
    const [it] = world.songs;
    const reasons = reasonBits({ liked: ["Groove"], improve: ["Sound"] });
    for (let n = 0; n < 3; n += 1) await makeRating(await someone(), it, { reasons });
    world.rows = await contents();

    async function live(first: Someone, second: Someone, aspect: string): Promise<Seen> {
      await restore(world);
      stopClock(clock, 1);
      await rate(one, it, 4);
      await rate(two, it, 1);
      await sayWhy(first, it, { liked: ["Groove", "Melody"] });
      await sayWhy(second, it, { improve: [aspect] });
      await sendMails(world.owner);
      if (leaves) await leave(one);
      return everythingOf(world);
    }

    const seen = await live(one, two, "Sound");
    const page = seen[`/ratings-of-my-songs/${it.id}`] ?? "";
    expect(page.includes("Groove")).toBe(tier === "premium");
    expect(page).not.toContain("Melody");
    expect(await live(two, one, "Vocals")).toEqual(seen);
  },
);

test("to an owner all bytes are the same, whether others pass on a song, and report it, or not", async () => {
  const world = await makeWorld("premium");
  const [one, two] = world.raters;
  const [it, other] = world.songs;

  async function live(passes: [Someone, Song, Record<string, string>][]): Promise<Seen> {
    await restore(world);
    stopClock(clock, 1);
    for (const [by, { id }, form] of passes) {
      stopped += 1000;
      await presses(by, `/songs/${id}/pass`, form);
    }
    await sendMails(world.owner);
    return everythingOf(world);
  }

  const seen = await live([]);
  const passed = await live([
    [one, it, { reason: "taste" }],
    [one, other, { reason: "unplayable" }],
    [two, it, { reason: "report", words: "Nothing but silence" }],
    [two, other, { reason: "known" }],
  ]);
  expect([...(await rows("passes")), ...(await rows("reports"))]).toHaveLength(5);
  expect(passed).toEqual(seen);
});

test.each(["free", "premium"] as const)(
  "a rating shows a %s owner its score, its time, the new count, and nothing else",
  async (tier) => {
    const world = await makeWorld(tier);
    const [it] = world.songs;
    await restore(world);
    const before = await everythingOf(world);
    await restore(world);
    stopClock(clock, 1);
    await rate(world.raters[0], it, 4);
    await sendMails(world.owner);
    const after = await everythingOf(world);
    expect(after["/"]).toContain("has a new rating");
    const changed = Object.keys(after).filter(
      (name) => withoutNews(after[name] ?? "", it) !== before[name],
    );
    expect(changed).toEqual([
      "/ratings-of-my-songs",
      dataOf("/ratings-of-my-songs"),
      // How many of its ratings are in.
      "/?menu=addownsong",
      dataOf("/?menu=addownsong"),
      `/ratings-of-my-songs?song=${it.id}`,
      dataOf(`/ratings-of-my-songs?song=${it.id}`),
      `/ratings-of-my-songs/${it.id}`,
      dataOf(`/ratings-of-my-songs/${it.id}`),
      `/ratings-of-my-songs/${it.id}.csv`,
      "POST /account/export",
      "mail 0",
    ]);

    // The page's scripts contain its data form, which is compared next.
    const page = differences(...pair(before, after, "/ratings-of-my-songs", visiblePieces));
    const ratedAt = clock - (clock % minute);
    const at = new Date(ratedAt).toISOString();
    const wait = "Too few songs lately to say how long that takes.";
    // The list has no more than that, one mark, and from the first of them on the key of marks.
    const isDrawn = (piece: string) => /^<\/?(svg|path|circle|g|b|ul|li|span)\b/.test(piece);
    expect(page.gone.filter((piece) => !isDrawn(piece))).toEqual([
      "Nobody yet",
      "It already received 0 ratings.",
      `5 ratings are still to come. ${wait}`,
      "More",
    ]);
    const key = ratingScale.map(({ label }) => label);
    expect(page.come.filter((piece) => !isDrawn(piece))).toEqual([
      ...key,
      "One of five is in",
      "It already received 1 rating:",
      "Added to my playlist! ",
      expect.stringMatching(new RegExp(`^<time dateTime="${at}" title="[^"]+ UTC">$`)),
      "20 minutes ago",
      "</time>",
      `4 ratings are still to come. ${wait}`,
      "What the ratings say",
    ]);
    expect(page.come.filter(isDrawn).join("")).not.toMatch(/\d{6}|20\d\d/);

    const [old, young] = pair(before, after, dataOf("/ratings-of-my-songs"), panelsIn);
    const line = { score: 4, ratedAt, isNew: false };
    const rated = { received: 1, owed: 4, scores: [4], lines: [line], said: "One of five is in" };
    const isRated = (panel: Plain) => panel.songId === it.id;
    // The song comes first now.
    expect(young).toEqual([
      ...old.filter(isRated).map((panel) => ({ ...panel, ...rated })),
      ...old.filter((panel) => !isRated(panel)),
    ]);

    const [exported, again] = pair(before, after, "POST /account/export", exportIn);
    const ratingsShown = [{ score: 4, label: "Added to my playlist!", ratedAt: at }];
    expect(again).toEqual({
      ...exported,
      songs: exported.songs.map((one) =>
        one.songId === it.id ? { ...one, received: 1, owed: 4, ratingsShown } : one,
      ),
      mails: [expect.objectContaining({ kind: "rating", state: "sent" })],
    });

    // Nothing of the rater's, no id of a row that was written, and not the exact moment.
    const told = Object.values(after).join("\n");
    const named: unknown[] = await namesOf(world.raters);
    // For each rater at least five columns of the user, a session and two listens.
    expect(named.length).toBeGreaterThan(2 * 8);
    const moment = [clock, new Date(clock).toISOString()];
    expect([...named, ...moment].filter((name) => told.includes(String(name)))).toEqual([]);
  },
);

test("a free owner does not learn the time of a hidden rating", async () => {
  const world = await makeWorld("free");
  const [it] = world.songs;
  const [one, two] = world.raters;
  stopClock(clock, 1);
  await rate(one, it, 4);
  stopClock(clock + 2 * minute, 2);
  await rate(two, it, 3);
  await makeRating(await someone(), it, { at: clock + 4 * minute });
  await sendMails(world.owner);
  const seen = await everythingOf(world);
  const [hidden, shown] = [clock, clock + 2 * minute].map((at) => {
    const start = at - (at % minute);
    const readable = new Date(start).toISOString().slice(0, "2026-01-15T12:00".length);
    return Object.keys(seen).filter(
      (name) => seen[name]?.includes(readable) || seen[name]?.includes(String(start)),
    );
  });
  expect(shown).toContain("POST /account/export");
  expect(hidden).toEqual([]);
});

/** Everything that identifies the raters and the rows connected with them. */
async function namesOf(raters: Someone[]): Promise<unknown[]> {
  const named: unknown[] = [];
  for (const rater of raters) {
    const { id, spotifyId, displayName, imageUrl, email, ownEmail } = await rater.now();
    named.push(id, spotifyId, displayName, imageUrl, email, ownEmail);
    named.push(...idsOf(await rows("sessions", { userId: id })));
  }
  for (const table of ["listens", "ratings", "packages", "activityLog", "outbox"] as const) {
    named.push(...idsOf(await rows(table)));
  }
  return named;
}

function pair<T>(before: Seen, after: Seen, name: string, read: (text: string) => T): [T, T] {
  return [read(before[name] ?? ""), read(after[name] ?? "")];
}

/** A page without scripts and comments, split into tags and the texts between them. */
function visiblePieces(page: string): string[] {
  const shown = page.replace(/<script[\s\S]*?<\/script>/g, "").replace(/<!-- -->|<\/?span>/g, "");
  return shown.split(/(?<=>)|(?=<)/);
}

/** The pieces that were removed and those that were added, each as often as it was. */
function differences(old: string[], young: string[]) {
  function without(list: string[], taken: string[]): string[] {
    const left = [...taken];
    return list.filter((piece) => {
      const at = left.indexOf(piece);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  }
  return { gone: without(old, young), come: without(young, old) };
}

type Plain = Record<string, unknown>;

function bodyOf(answer: string): string {
  return answer.slice(answer.indexOf("\n\n") + 2);
}

function exportIn(answer: string) {
  return JSON.parse(bodyOf(answer)) as { songs: Plain[]; mails: Plain[] };
}

function panelsIn(answer: string): Plain[] {
  return JSON.parse(bodyOf(answer)).panels;
}
