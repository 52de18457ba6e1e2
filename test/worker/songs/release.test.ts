/** "Tell me when it is out": the wishes of those who rated an own recording, its link, and the one mail. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { purgeExpired } from "~/account/purge.server";
import {
  askForRelease,
  endRelease,
  giveRelease,
  mailReleases,
} from "~/exchange/release/release.server";
import { addressFingerprint, suppressMails } from "~/mailing/suppression.server";
import { dayMs, hourMs, minuteMs } from "~/platform/dates";
import { readConfig } from "~/platform/env";
import { insert, makeRating, unique } from "../../support/database/factories";
import { change, db, row, rows } from "../../support/database/rows";
import { noteQueued } from "../../support/mail-queue";
import { addressOf, consume, deliver, mailsTo } from "../../support/mails";
import { ownSong, type Someone, someone, song } from "../../support/people";
import { request } from "../../support/request";
import { everyTenMinutes, runJobs } from "../../support/worker";

const { sessionSecret: secret } = readConfig(env);
const link = "https://ada.bandcamp.com/track/night-bus";
const ok = { ok: true };
const saying = (text: string) => expect.stringContaining(text);

type Song = Awaited<ReturnType<typeof atSong>>;

function atSong(owner: Parameters<typeof someone>[0] = {}) {
  return ownSong({ owner, title: "Night Bus" });
}

/** A member who has just rated the song "Added to my playlist!". */
async function makeFan(
  it: Song,
  {
    at = Date.now(),
    score = 4 as 3 | 4,
    ...options
  }: { at?: number; score?: 3 | 4; ownEmail?: string } = {},
) {
  const fan = await someone(options);
  await makeRating(fan, it, { score, at });
  return fan;
}

async function wish(by: Someone, { id }: { id: string }, at = Date.now()) {
  return askForRelease({ ...by.at(at).services(), secret }, await by.viewer(), id);
}

async function give({ id: songId, owner }: Song, { at = Date.now(), url = link, by = owner } = {}) {
  const services = { ...by.at(at).services(), secret };
  return giveRelease(services, await by.viewer(), { songId, link: url });
}

const mail = (now = Date.now()) => mailReleases({ db, mailQueue: noteQueued(), now });
const wishes = () => rows("releaseWishes");
const mails = () => rows("outbox", { kind: "release" });

const takeOut = () => change("songs", {}, { takenOut: "noise", restingSince: 1 });
const takeBack = () => env.DB.prepare("DELETE FROM releases").run();
async function lock() {
  const { ownerId } = await row("songs");
  const given = { id: "l".repeat(43), user_id: ownerId, reason: "noise", locked_at: 1 };
  return insert("submission_locks", given).run();
}

/** The text of a page without scripts and tags. */
async function read(by: Someone, path: string): Promise<string> {
  return (await by.reads(path))
    .replaceAll(/<script.*?<\/script>/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
}

const resultOf = ({ id, owner }: Song) => read(owner, `/ratings-of-my-songs/${id}`);

test("who rated it is asked on both pages, can ask and take that back without JavaScript, and the owner sees nobody", async () => {
  const it = await atSong();
  const fan = await makeFan(it);
  for (const next of [`/?rated=${it.id}`, "/rated"]) {
    const press = (wanted: string) => fan.posts(`/songs/${it.id}/release-wish`, { wanted, next });
    expect(await read(fan, next)).toContain("Tell me when it is out : Night Bus");
    const answer = await press("true");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, next]);
    expect(await wishes()).toMatchObject([{ userId: fan.id, songId: it.id }]);
    expect(await read(fan, next)).toContain("Do not tell me when it is out");
    expect(await resultOf(it)).not.toContain("want to know");
    await press("false");
    expect(await wishes()).toEqual([]);
    expect(await row("ratings")).toMatchObject({ wantsRelease: false });
  }
});

test("pressed twice, also at once, it is one wish", async () => {
  const it = await atSong();
  const fan = await makeFan(it);
  await fan.viewer();
  expect(await Promise.all([wish(fan, it), wish(fan, it), wish(fan, it)])).toEqual([ok, ok, ok]);
  expect(await wishes()).toHaveLength(1);
});

test("nobody else can ask: other scores, tracks, songs not rated or taken out", async () => {
  const it = await atSong();
  const [user, fan] = [await makeFan(it, { score: 3 }), await makeFan(it)];
  const track = await song();
  await makeRating(user, track, { score: 4 });
  await takeOut();
  for (const [by, which] of [
    [user, it],
    [user, track],
    [it.owner, it],
    [fan, it],
    [fan, { id: "nowhere" }],
  ] as const) {
    expect(await wish(by, which)).toMatchObject({ status: 409 });
  }
  expect(await wishes()).toEqual([]);
  expect(await read(fan, "/rated")).not.toContain("Tell me");
  for (const { id } of [it, track]) {
    const forced = insert("release_wishes", { user_id: user.id, song_id: id, asked_at: 1 });
    await expect(forced.run()).rejects.toThrow("Added to my playlist!");
  }
});

test("without an address, and where these mails have ended, it says so", async () => {
  const it = await atSong();
  const [ended, silent] = [await makeFan(it), await makeFan(it)];
  await suppressMails(db, await addressFingerprint(secret, addressOf(ended)), "songs");
  expect(await wish(ended, it)).toMatchObject({ status: 409, error: saying("have ended") });
  await change("users", { id: silent.id }, { email: null });
  expect(await wish(silent, it)).toMatchObject({ error: saying("no e-mail address") });
  expect(await wishes()).toEqual([]);
});

test("a score changed within its minute takes the wish along", async () => {
  const it = await atSong();
  const fan = await makeFan(it);
  await wish(fan, it);
  expect(await fan.rates(it, 3)).toEqual(ok);
  expect(await wishes()).toEqual([]);
  expect(await row("ratings")).toMatchObject({ score: 3, wantsRelease: false });
});

test("the owner sees how many in steps of three settled ratings, whatever becomes of the wishes later", async () => {
  const it = await atSong({ tier: "premium" });
  const at = Date.now() - dayMs - 5 * minuteMs;
  const fans: Someone[] = [];
  const ask = async (n: number) => {
    const fan = await makeFan(it, { at: at + n });
    await wish(fan, it, at + 1000);
    fans.push(fan);
  };
  for (let n = 0; n < 3; n += 1) {
    await ask(n);
    expect((await resultOf(it)).includes("want to know")).toBe(n === 2);
  }
  const said = "&quot;Added to my playlist!&quot;: 3 of the first 3 want to know when it is out.";
  expect(await resultOf(it)).toContain(said);
  // Two more, a wish after a day, one taken back after a day, and an account deleted change nothing.
  for (const n of [0, 0]) await ask(n);
  await fans[0]?.posts(`/songs/${it.id}/release-wish`, { wanted: "false" });
  expect(await wishes()).toHaveLength(4);
  await fans[1]?.leaves();
  expect(await wishes()).toHaveLength(3);
  expect(await resultOf(it)).toContain(said);
});

test("a wish later than a day after the rating is mailed, and not counted", async () => {
  const it = await atSong({ tier: "premium" });
  const at = Date.now() - 2 * dayMs;
  for (let n = 0; n < 3; n += 1) await wish(await makeFan(it, { at }), it);
  expect(await wishes()).toHaveLength(3);
  expect(await resultOf(it)).not.toContain("want to know");
});

test("the owner gives the link; those who rated see it, and no mail goes for an hour after its last change", async () => {
  const it = await atSong();
  const [fan, other] = [await makeFan(it), await makeFan(it, { score: 3 })];
  await wish(fan, it);
  const here = `/ratings-of-my-songs/${it.id}#release`;
  const answer = await it.owner.posts(`/songs/${it.id}/release`, { link: ` ${link} ` });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, here]);
  for (const rater of [fan, other]) {
    const page = await rater.reads("/rated");
    expect(page).toContain(`<a href="${link}" target="_blank" rel="noopener">`);
    expect(page).toContain("Listen on Bandcamp");
    expect(page).not.toContain("Tell me when");
  }
  const since = Date.now();
  await mail(since + hourMs - minuteMs);
  const url = "https://soundcloud.com/ada/night-bus";
  expect(await give(it, { at: since + 50 * minuteMs, url })).toEqual(ok);
  // The same link again does not put it off.
  await give(it, { at: since + 100 * minuteMs, url });
  await mail(since + 109 * minuteMs);
  expect(await mails()).toEqual([]);
  expect(await mail(since + 111 * minuteMs)).toEqual({ count: 1 });
  expect(await mails()).toMatchObject([{ userId: fan.id, subjectId: it.id }]);
  // A later change is seen, and mailed to nobody.
  await give(it, { at: since + 5 * hourMs });
  expect(await mail(since + 9 * hourMs)).toEqual({ count: 0 });
  expect(await row("releases")).toMatchObject({ url: link, mailed: true });
});

test.each<[string, number, { url?: string; by?: typeof someone }, (() => unknown) | null]>([
  ["its owner, elsewhere", 422, { url: "https://evil.example/night-bus" }, null],
  ["its owner, without https", 422, { url: "http://soundcloud.com/ada" }, null],
  ["a locked owner", 409, {}, lock],
  ["the owner of a song that is taken out", 409, {}, takeOut],
  ["somebody else", 404, { by: someone }, null],
])("no link comes from %s", async (_who, status, { by, ...given }, before) => {
  const it = await atSong();
  await before?.();
  const from = by ? { by: await by() } : {};
  expect(await give(it, { ...given, ...from })).toMatchObject({ status });
  expect(await rows("releases")).toEqual([]);
});

/** The song's link was given two hours ago, and somebody waits for it. */
async function atRelease(options: { ownEmail?: string } = {}) {
  const it = await atSong();
  const fan = await makeFan(it, options);
  await wish(fan, it);
  await give(it, { at: Date.now() - 2 * hourMs });
  return { it, fan };
}

test("who asked gets one mail, with the link, and can end these mails by one click", async () => {
  const ownEmail = `${unique("fan")}@mail.example`;
  const { it, fan } = await atRelease({ ownEmail });
  await Promise.all([runJobs(everyTenMinutes), runJobs(everyTenMinutes)]);
  const [owed] = await mails();
  expect(await deliver([owed?.id, owed?.id])).toEqual(["done", "done"]);
  const subject = "It is out: “Night Bus”";
  const [sent, ...more] = (await mailsTo(ownEmail)).filter((one) => one.subject === subject);
  expect([sent?.html, more]).toEqual([saying(`href="${link}"`), []]);
  expect(sent?.text).toContain(`Listen on Bandcamp:\n${link}\n`);
  expect(await wishes()).toEqual([]);
  const [unsubscribe = ""] = /https?:\S*\/unsubscribe\?token=\S+/.exec(sent?.text ?? "") ?? [];
  await request(unsubscribe, { form: { "List-Unsubscribe": "One-Click" } });
  expect(await row("mailSuppressions")).toMatchObject({ topic: "songs" });
  expect(await wish(fan, it)).toMatchObject({ status: 409 });
});

test("to an address that nobody has confirmed goes neither the link nor a title that becomes one", async () => {
  const { fan } = await atRelease();
  await change("songs", {}, { title: "Win at evil.example" });
  await runJobs(everyTenMinutes);
  await deliver((await mails()).map(({ id }) => id));
  const [sent] = await mailsTo(addressOf(fan));
  expect(sent?.subject).toBe("A song that you liked is out");
  expect(`${sent?.text}${sent?.html}`).not.toMatch(/evil|bandcamp/);
  expect(sent?.text).toContain(`${env.APP_ORIGIN}/rated`);
});

test.each([
  ["the song is taken out", takeOut],
  ["the owner is locked", lock],
  ["the link is taken back", takeBack],
])("while %s, nobody is mailed and the wish stays", async (_what, happen) => {
  await atRelease();
  await happen();
  expect(await mail()).toEqual({ count: 0 });
  expect(await wishes()).toHaveLength(1);
});

test("a withdrawn song's release is mailed all the same", async () => {
  const { it } = await atRelease();
  expect(await it.owner.withdraws(it)).toEqual(ok);
  expect(await mail()).toEqual({ count: 1 });
});

test.each<[string, (it: Song) => Promise<unknown>]>([
  ["the song is taken out", takeOut],
  ["the link is taken back", takeBack],
  ["the owner is gone", (it) => it.owner.leaves()],
])("a mail that is owed is not sent once %s", async (_what, happen) => {
  const { it, fan } = await atRelease();
  await mail();
  const [owed] = await mails();
  await happen(it);
  expect(await consume([owed?.id])).toEqual(["done"]);
  expect(await mailsTo(addressOf(fan))).toEqual([]);
  expect(await mails()).toMatchObject([{ state: "skipped" }]);
});

test("deleting either account leaves neither wish, link nor mail", async () => {
  const { it, fan } = await atRelease();
  const other = await makeFan(it);
  await mail();
  await fan.leaves();
  expect(await mails()).toEqual([]);
  await takeBack();
  await wish(other, it);
  await it.owner.leaves();
  expect([await wishes(), await rows("releases")]).toEqual([[], []]);
});

test("who was told cannot ask again, however often the link is taken back and given", async () => {
  const { it, fan } = await atRelease();
  await mail();
  expect(await endRelease(db, await it.owner.viewer(), it.id)).toEqual(ok);
  expect(await wish(fan, it)).toMatchObject({ status: 409, error: saying("already told") });
  expect(await read(fan, "/rated")).not.toContain("Tell me when");
  await give(it, { at: Date.now() - 2 * hourMs });
  expect(await mail()).toEqual({ count: 0 });
  expect(await mails()).toHaveLength(1);
});

test("a wish and a link at the same moment leave nobody waiting without a mail", async () => {
  const it = await atSong();
  const fans: Someone[] = [];
  for (let n = 0; n < 6; n += 1) fans.push(await makeFan(it));
  for (const one of [...fans, it.owner]) await one.viewer();
  const answers = await Promise.all([
    ...fans.slice(0, 3).map((fan) => wish(fan, it)),
    give(it),
    ...fans.slice(3).map((fan) => wish(fan, it)),
  ]);
  const asked = answers.filter((answer) => "ok" in answer).length - 1;
  expect(await wishes()).toHaveLength(asked);
  await mail(Date.now() + hourMs + 1);
  expect(await mails()).toHaveLength(asked);
});

test("many wishes are mailed in portions, each once, also by two runs at once", async () => {
  const it = await atSong();
  const fans = "FROM users WHERE id LIKE 'fan-%'";
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO users (id, spotify_id, display_name, email, last_active_at, created_at, updated_at,
         rated_count, credits)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 450)
       SELECT 'fan-' || i, 'fan-' || i, '', 'fan-' || i || '@mail.example', 0, 1, 1, 1, 1 FROM n`,
    ),
    env.DB.prepare(
      `INSERT INTO listens (id, user_id, song_id, required_seconds, started_at, finished_at, evidence, closed_at, delivered_ms)
       SELECT 'l-' || id, id, ?, 55, 1, 60001, 'delivery', 60002, 60000 ${fans}`,
    ).bind(it.id),
    env.DB.prepare(
      `INSERT INTO ratings (id, song_id, owner_id, rater_id, listen_id, score, owes_mail, created_at)
       SELECT 'r-' || id, ?, ?, id, 'l-' || id, 4, 0, 60003 ${fans}`,
    ).bind(it.id, it.ownerId),
    env.DB.prepare(
      `INSERT INTO release_wishes (user_id, song_id, asked_at) SELECT id, ?, 60004 ${fans}`,
    ).bind(it.id),
  ]);
  await change("songs", {}, { received: 450, owed: 0, owedSince: null });
  await give(it);
  const now = Date.now() + hourMs + 1;
  expect(await Promise.all([mail(now), mail(now)])).toEqual([{ count: 200 }, { count: 200 }]);
  expect(await mails()).toHaveLength(400);
  expect(await row("releases")).toMatchObject({ mailed: false });
  expect(await mail(now)).toEqual({ count: 50 });
  expect(await row("releases")).toMatchObject({ mailed: true });
  expect(new Set((await mails()).map(({ userId }) => userId)).size).toBe(450);
});

test("a wish is kept for a year", async () => {
  const it = await atSong();
  await wish(await makeFan(it), it);
  const year = Date.now() + 365 * dayMs;
  expect(await purgeExpired(db, year - minuteMs)).toMatchObject({ releaseWishes: 0 });
  expect(await purgeExpired(db, year + minuteMs)).toMatchObject({ releaseWishes: 1 });
});
