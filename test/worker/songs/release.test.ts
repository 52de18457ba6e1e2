/** "Tell me when it is out": the wishes of those who rated an own recording, its link, and the one mail. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { deleteAccount } from "~/account/delete.server";
import { purgeExpired } from "~/account/purge.server";
import { createDatabase } from "~/db/client.server";
import { rateSong } from "~/exchange/rating/rate.server";
import {
  askForRelease,
  endRelease,
  giveRelease,
  mailReleases,
} from "~/exchange/release/release.server";
import { withdrawSong } from "~/exchange/rotation/withdraw-and-return.server";
import { addressFingerprint, suppressMails } from "~/mailing/suppression.server";
import { readConfig } from "~/platform/env";
import { rowsOf } from "../../support/database/contents";
import {
  insert,
  makeOwnSong,
  makeRating,
  makeSong,
  makeUser,
  type OwnTestSong,
  type TestUser,
  unique,
} from "../../support/database/factories";
import { makeMember, makeViewer } from "../../support/login";
import { noteQueued } from "../../support/mail-queue";
import { addressOf, consume, deliver, mailsTo } from "../../support/mails";
import { request } from "../../support/request";
import { servicesAt } from "../../support/services";
import { stubBilling } from "../../support/stripe/billing-stub";
import { everyTenMinutes, runJobs } from "../../support/worker";

const db = createDatabase(env.DB);
const { sessionSecret: secret } = readConfig(env);
const hour = 60 * 60 * 1000;
const day = 24 * hour;
const link = "https://ada.bandcamp.com/track/night-bus";
const services = (now = Date.now()) => ({ ...servicesAt(now), secret });

/** A member who has just rated the song "Added to my playlist!". */
async function makeFan(
  song: OwnTestSong,
  {
    at = Date.now(),
    score = 4,
    ...options
  }: { at?: number; score?: 3 | 4; ownEmail?: string } = {},
) {
  const member = await makeMember(options);
  await makeRating(member.user, song, { score, at });
  return member;
}

async function atSong(options: Parameters<typeof makeMember>[0] = {}) {
  const owner = await makeMember(options);
  const song = await makeOwnSong(owner.user, { title: "Night Bus" });
  return { owner, song, ownersView: await makeViewer(owner.user) };
}

async function wish(user: TestUser, song: { id: string }, now = Date.now()) {
  return askForRelease(services(now), await makeViewer(user), song.id);
}

const wishes = () => rowsOf("SELECT user_id, song_id FROM release_wishes ORDER BY user_id");
const mails = () =>
  rowsOf("SELECT user_id, subject_id FROM outbox WHERE kind = 'release' ORDER BY user_id");

/** The text of a page without scripts and tags. */
async function read(path: string, cookie: string): Promise<string> {
  const page = await (await request(path, { cookie })).text();
  return page
    .replaceAll(/<script.*?<\/script>/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
}

test("who rated it is asked on both pages, can ask and take that back without JavaScript, and the owner sees nobody", async () => {
  const { song, owner } = await atSong();
  const { cookie, user } = await makeFan(song);
  for (const page of [`/?rated=${song.id}`, "/rated"]) {
    expect(await read(page, cookie)).toContain("Tell me when it is out : Night Bus");
    const form = { wanted: "true", next: page };
    const answer = await request(`/songs/${song.id}/release-wish`, { cookie, form });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, page]);
    expect(await wishes()).toEqual([{ user_id: user.id, song_id: song.id }]);
    expect(await read(page, cookie)).toContain("Do not tell me when it is out");
    expect(await read(`/ratings-of-my-songs/${song.id}`, owner.cookie)).not.toContain(
      "want to know",
    );
    await request(`/songs/${song.id}/release-wish`, { cookie, form: { ...form, wanted: "false" } });
    expect(await wishes()).toEqual([]);
    expect(await rowsOf("SELECT wants_release FROM ratings")).toEqual([{ wants_release: 0 }]);
  }
});

test("pressed twice, also at once, it is one wish", async () => {
  const { song } = await atSong();
  const { user } = await makeFan(song);
  const viewer = await makeViewer(user);
  const press = () => askForRelease(services(), viewer, song.id);
  expect(await Promise.all([press(), press(), press()])).toEqual(Array(3).fill({ ok: true }));
  expect(await wishes()).toHaveLength(1);
});

test("nobody else can ask: other scores, tracks, songs not rated or taken out", async () => {
  const { song, owner } = await atSong();
  const { user } = await makeFan(song, { score: 3 });
  const track = await makeSong(await makeUser());
  await makeRating(user, track, { score: 4 });
  const { user: fan, cookie } = await makeFan(song);
  await env.DB.prepare("UPDATE songs SET taken_out = 'noise', resting_since = 1 WHERE id = ?")
    .bind(song.id)
    .run();
  for (const [one, which] of [
    [user, song],
    [user, track],
    [owner.user, song],
    [fan, song],
    [fan, { id: "nowhere" }],
  ] as const) {
    expect(await wish(one, which)).toMatchObject({ status: 409 });
  }
  expect(await wishes()).toEqual([]);
  expect(await read("/rated", cookie)).not.toContain("Tell me");
  const row = (song_id: string) =>
    insert("release_wishes", { user_id: user.id, song_id, asked_at: 1 }).run();
  await expect(row(song.id)).rejects.toThrow("Added to my playlist!");
  await expect(row(track.id)).rejects.toThrow("Added to my playlist!");
});

test("without an address, and where these mails have ended, it says so", async () => {
  const { song } = await atSong();
  const ended = await makeFan(song);
  const fingerprint = await addressFingerprint(secret, addressOf(ended.user));
  await suppressMails(db, fingerprint, "songs");
  expect(await wish(ended.user, song)).toMatchObject({
    status: 409,
    error: expect.stringContaining("have ended"),
  });
  const silent = await makeFan(song);
  await env.DB.prepare("UPDATE users SET email = NULL WHERE id = ?").bind(silent.user.id).run();
  expect(await wish(silent.user, song)).toMatchObject({
    error: expect.stringContaining("no e-mail address"),
  });
  expect(await wishes()).toEqual([]);
});

test("a score changed within its minute takes the wish along", async () => {
  const { song } = await atSong();
  const { user } = await makeFan(song);
  await wish(user, song);
  const viewer = await makeViewer(user);
  expect(await rateSong(services(), viewer, { songId: song.id, score: 3 })).toEqual({ ok: true });
  expect(await wishes()).toEqual([]);
  expect(await rowsOf("SELECT score, wants_release FROM ratings")).toEqual([
    { score: 3, wants_release: 0 },
  ]);
});

test("the owner sees how many in steps of three settled ratings, whatever becomes of the wishes later", async () => {
  const { song, owner } = await atSong({ tier: "premium" });
  const at = Date.now() - day - 5 * 60_000;
  const path = `/ratings-of-my-songs/${song.id}`;
  const fans = [];
  for (let n = 0; n < 3; n += 1) {
    const fan = await makeFan(song, { at: at + n });
    await wish(fan.user, song, at + 1000);
    fans.push(fan);
    expect((await read(path, owner.cookie)).includes("want to know")).toBe(n === 2);
  }
  const said = "&quot;Added to my playlist!&quot;: 3 of the first 3 want to know when it is out.";
  expect(await read(path, owner.cookie)).toContain(said);
  // Two more, a wish after a day, one taken back after a day, and an account deleted change nothing.
  for (let n = 0; n < 2; n += 1) await wish((await makeFan(song, { at })).user, song, at + 1000);
  const late = fans[0] as (typeof fans)[number];
  await request(`/songs/${song.id}/release-wish`, {
    cookie: late.cookie,
    form: { wanted: "false" },
  });
  expect(await wishes()).toHaveLength(4);
  const gone = fans[1] as (typeof fans)[number];
  await deleteAccount({ db, billing: stubBilling(), secret, now: Date.now }, gone.user.id);
  expect(await wishes()).toHaveLength(3);
  expect(await read(path, owner.cookie)).toContain(said);
});

test("a wish later than a day after the rating is mailed, and not counted", async () => {
  const { song, owner } = await atSong({ tier: "premium" });
  const at = Date.now() - 2 * day;
  for (let n = 0; n < 3; n += 1) await wish((await makeFan(song, { at })).user, song);
  expect(await wishes()).toHaveLength(3);
  expect(await read(`/ratings-of-my-songs/${song.id}`, owner.cookie)).not.toContain("want to know");
});

test("the owner gives the link; those who rated see it, and no mail goes for an hour after its last change", async () => {
  const { song, owner, ownersView } = await atSong();
  const fan = await makeFan(song);
  const other = await makeFan(song, { score: 3 });
  await wish(fan.user, song);
  const here = `/ratings-of-my-songs/${song.id}#release`;
  const answer = await request(`/songs/${song.id}/release`, {
    cookie: owner.cookie,
    form: { link: ` ${link} ` },
  });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, here]);
  for (const { cookie } of [fan, other]) {
    const page = await (await request("/rated", { cookie })).text();
    expect(page).toContain(`<a href="${link}" target="_blank" rel="noopener">`);
    expect(page).toContain("Listen on Bandcamp");
    expect(page).not.toContain("Tell me when");
  }
  const since = Date.now();
  await mailReleases({ ...services(), now: since + hour - 60_000 });
  const changed = "https://soundcloud.com/ada/night-bus";
  expect(
    await giveRelease(services(since + 50 * 60_000), ownersView, {
      songId: song.id,
      link: changed,
    }),
  ).toEqual({ ok: true });
  // The same link again does not put it off.
  await giveRelease(services(since + 100 * 60_000), ownersView, { songId: song.id, link: changed });
  await mailReleases({ ...services(), now: since + 109 * 60_000 });
  expect(await mails()).toEqual([]);
  expect(await mailReleases({ ...services(), now: since + 111 * 60_000 })).toEqual({ count: 1 });
  expect(await mails()).toEqual([{ user_id: fan.user.id, subject_id: song.id }]);
  // A later change is seen, and mailed to nobody.
  await giveRelease(services(since + 5 * hour), ownersView, { songId: song.id, link });
  expect(await mailReleases({ ...services(), now: since + 9 * hour })).toEqual({ count: 0 });
  expect(await rowsOf("SELECT url, mailed FROM releases")).toEqual([{ url: link, mailed: 1 }]);
});

test.each([
  ["somebody else", 404, async () => makeViewer(await makeUser()), link],
  ["its owner, elsewhere", 422, null, "https://evil.example/night-bus"],
  ["its owner, without https", 422, null, "http://soundcloud.com/ada"],
  ["a locked owner", 409, "lock", link],
  ["the owner of a song that is taken out", 409, "take out", link],
] as const)("no link comes from %s", async (_who, status, from, url) => {
  const { song, owner, ownersView } = await atSong();
  if (from === "lock") await lock(owner.user);
  if (from === "take out") {
    await env.DB.prepare("UPDATE songs SET taken_out = 'noise', resting_since = 1").run();
  }
  const viewer = typeof from === "function" ? await from() : ownersView;
  expect(await giveRelease(services(), viewer, { songId: song.id, link: url })).toMatchObject({
    status,
  });
  expect(await rowsOf("SELECT song_id FROM releases")).toEqual([]);
});

async function lock({ id }: TestUser): Promise<void> {
  await insert("submission_locks", {
    id: "l".repeat(43),
    user_id: id,
    reason: "noise",
    locked_at: 1,
  }).run();
}

/** The song's link was given two hours ago, and somebody waits for it. */
async function atRelease(options: { ownEmail?: string } = {}) {
  const { song, owner, ownersView } = await atSong();
  const fan = await makeFan(song, options);
  await wish(fan.user, song);
  await giveRelease(services(Date.now() - 2 * hour), ownersView, { songId: song.id, link });
  return { song, owner, ownersView, fan };
}

test("who asked gets one mail, with the link, and can end these mails by one click", async () => {
  const address = `${unique("fan")}@mail.example`;
  const { song, fan } = await atRelease({ ownEmail: address });
  await Promise.all([runJobs(everyTenMinutes), runJobs(everyTenMinutes)]);
  const [mail] = (await rowsOf("SELECT id FROM outbox WHERE kind = 'release'")) as { id: string }[];
  expect(await deliver([mail?.id, mail?.id])).toEqual(["done", "done"]);
  const sent = (await mailsTo(address)).filter(
    ({ subject }) => subject === "It is out: “Night Bus”",
  );
  expect(sent).toHaveLength(1);
  expect(sent[0]?.text).toContain(`Listen on Bandcamp:\n${link}\n`);
  expect(sent[0]?.html).toContain(`href="${link}"`);
  expect(await wishes()).toEqual([]);
  const [unsubscribe = ""] = /https?:\S*\/unsubscribe\?token=\S+/.exec(sent[0]?.text ?? "") ?? [];
  await request(unsubscribe, { form: { "List-Unsubscribe": "One-Click" } });
  expect(await rowsOf("SELECT topic FROM mail_suppressions")).toEqual([{ topic: "songs" }]);
  expect(await wish(fan.user, song)).toMatchObject({ status: 409 });
});

test("to an address that nobody has confirmed goes neither the link nor a title that becomes one", async () => {
  const { fan } = await atRelease();
  await env.DB.prepare("UPDATE songs SET title = 'Win at evil.example'").run();
  await runJobs(everyTenMinutes);
  const [mail] = (await rowsOf("SELECT id FROM outbox WHERE kind = 'release'")) as { id: string }[];
  await deliver([mail?.id]);
  const [sent] = await mailsTo(addressOf(fan.user));
  expect(sent?.subject).toBe("A song that you liked is out");
  expect(`${sent?.text}${sent?.html}`).not.toMatch(/evil|bandcamp/);
  expect(sent?.text).toContain(`${env.APP_ORIGIN}/rated`);
});

test.each([
  ["the song is taken out", "UPDATE songs SET taken_out = 'noise', resting_since = 1"],
  [
    "the owner is locked",
    `INSERT INTO submission_locks (id, user_id, reason, locked_at) SELECT '${"l".repeat(43)}', owner_id, '', 1 FROM songs`,
  ],
  ["the link is taken back", "DELETE FROM releases"],
])("while %s, nobody is mailed and the wish stays", async (_what, change) => {
  await atRelease();
  await env.DB.prepare(change).run();
  expect(await mailReleases({ ...services(), now: Date.now() })).toEqual({ count: 0 });
  expect(await wishes()).toHaveLength(1);
});

test("a withdrawn song's release is mailed all the same", async () => {
  const { song, ownersView } = await atRelease();
  expect(await withdrawSong(services(), ownersView, song.id)).toEqual({ ok: true });
  expect(await mailReleases({ ...services(), now: Date.now() })).toEqual({ count: 1 });
});

test.each([
  ["the song is taken out", "UPDATE songs SET taken_out = 'noise', resting_since = 1"],
  ["the link is taken back", "DELETE FROM releases"],
  ["the owner is gone", null],
])("a mail that is owed is not sent once %s", async (_what, change) => {
  const { fan, owner } = await atRelease();
  await mailReleases({ ...services(), now: Date.now() });
  const [mail] = (await rowsOf("SELECT id FROM outbox WHERE kind = 'release'")) as { id: string }[];
  if (change) await env.DB.prepare(change).run();
  else await deleteAccount({ db, billing: stubBilling(), secret, now: Date.now }, owner.user.id);
  expect(await consume([mail?.id])).toEqual(["done"]);
  expect(await mailsTo(addressOf(fan.user))).toEqual([]);
  expect(await rowsOf("SELECT state FROM outbox WHERE kind = 'release'")).toEqual([
    { state: "skipped" },
  ]);
});

test("deleting either account leaves neither wish, link nor mail", async () => {
  const { song, owner, fan } = await atRelease();
  const other = await makeFan(song);
  const services_ = { db, billing: stubBilling(), secret, now: Date.now };
  await mailReleases({ ...services(), now: Date.now() });
  await deleteAccount(services_, fan.user.id);
  expect(await mails()).toEqual([]);
  await env.DB.prepare("DELETE FROM releases").run();
  await wish(other.user, song);
  await deleteAccount(services_, owner.user.id);
  expect(
    await rowsOf("SELECT song_id FROM release_wishes UNION SELECT song_id FROM releases"),
  ).toEqual([]);
});

test("who was told cannot ask again, however often the link is taken back and given", async () => {
  const { song, fan, ownersView } = await atRelease();
  await mailReleases({ ...services(), now: Date.now() });
  expect(await endRelease(db, ownersView, song.id)).toEqual({ ok: true });
  expect(await wish(fan.user, song)).toMatchObject({
    status: 409,
    error: expect.stringContaining("already told"),
  });
  expect(await read("/rated", fan.cookie)).not.toContain("Tell me when");
  await giveRelease(services(Date.now() - 2 * hour), ownersView, { songId: song.id, link });
  expect(await mailReleases({ ...services(), now: Date.now() })).toEqual({ count: 0 });
  expect(await mails()).toHaveLength(1);
});

test("a wish and a link at the same moment leave nobody waiting without a mail", async () => {
  const { song, ownersView } = await atSong();
  const viewers = [];
  for (let n = 0; n < 6; n += 1) viewers.push(await makeViewer((await makeFan(song)).user));
  const answers = await Promise.all([
    ...viewers.slice(0, 3).map((viewer) => askForRelease(services(), viewer, song.id)),
    giveRelease(services(), ownersView, { songId: song.id, link }),
    ...viewers.slice(3).map((viewer) => askForRelease(services(), viewer, song.id)),
  ]);
  const asked = answers.filter((answer) => "ok" in answer).length - 1;
  expect(await wishes()).toHaveLength(asked);
  await mailReleases({ ...services(), now: Date.now() + hour + 1 });
  expect(await mails()).toHaveLength(asked);
});

test("many wishes are mailed in portions, each once, also by two runs at once", async () => {
  const { song, ownersView } = await atSong();
  const fan = await makeUser();
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO users (id, spotify_id, display_name, email, last_active_at, created_at, updated_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 450)
       SELECT 'fan-' || i, 'fan-' || i, '', 'fan-' || i || '@mail.example', 0, 1, 1 FROM n`,
    ),
    env.DB.prepare(
      `INSERT INTO listens (id, user_id, song_id, required_seconds, started_at, finished_at, evidence, closed_at, delivered_ms)
       SELECT 'l-' || id, id, ?, 55, 1, 60001, 'delivery', 60002, 60000 FROM users WHERE id LIKE 'fan-%'`,
    ).bind(song.id),
    env.DB.prepare(
      `INSERT INTO ratings (id, song_id, owner_id, rater_id, listen_id, score, owes_mail, created_at)
       SELECT 'r-' || id, ?, ?, id, 'l-' || id, 4, 0, 60003 FROM users WHERE id LIKE 'fan-%'`,
    ).bind(song.id, song.ownerId),
    env.DB.prepare(
      `INSERT INTO release_wishes (user_id, song_id, asked_at) SELECT id, ?, 60004 FROM users WHERE id LIKE 'fan-%'`,
    ).bind(song.id),
    env.DB.prepare("UPDATE users SET rated_count = 1, credits = 1 WHERE id LIKE 'fan-%'"),
    env.DB.prepare(
      "UPDATE songs SET received = 450, owed = 0, owed_since = NULL WHERE id = ?",
    ).bind(song.id),
  ]);
  expect(fan.id).not.toContain("fan-");
  await giveRelease(services(), ownersView, { songId: song.id, link });
  const now = Date.now() + hour + 1;
  const queues = [noteQueued(), noteQueued()];
  const runs = await Promise.all(queues.map((mailQueue) => mailReleases({ db, mailQueue, now })));
  expect(runs).toEqual([{ count: 200 }, { count: 200 }]);
  expect(new Set(queues.flatMap(({ queued }) => queued.map(({ outboxId }) => outboxId))).size).toBe(
    400,
  );
  expect(await rowsOf("SELECT mailed FROM releases")).toEqual([{ mailed: 0 }]);
  expect(await mailReleases({ db, mailQueue: noteQueued(), now })).toEqual({ count: 50 });
  expect(await rowsOf("SELECT mailed FROM releases")).toEqual([{ mailed: 1 }]);
  expect(
    await rowsOf("SELECT count(DISTINCT user_id) AS told FROM outbox WHERE kind = 'release'"),
  ).toEqual([{ told: 450 }]);
});

test("a wish is kept for a year", async () => {
  const { song } = await atSong();
  await wish((await makeFan(song)).user, song);
  const year = 365 * day;
  expect(await purgeExpired(db, Date.now() + year - 60_000)).toMatchObject({ releaseWishes: 0 });
  expect(await purgeExpired(db, Date.now() + year + 60_000)).toMatchObject({ releaseWishes: 1 });
});
