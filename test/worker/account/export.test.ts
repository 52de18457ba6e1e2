import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { addressFingerprint } from "~/mailing/suppression.server";
import { readConfig } from "~/platform/env";
import { passTime } from "../../support/clock";
import { contents } from "../../support/database/contents";
import {
  baseTime,
  insert,
  makeListen,
  makeOwnRecording,
  makeOwnSong,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
} from "../../support/database/factories";
import { makeMember, makeSession } from "../../support/login";
import { oweRating } from "../../support/mails";
import { request } from "../../support/request";

interface Exported {
  person: Record<string, unknown>;
  mail: { addressesAskedToConfirm: unknown[] };
  subscription: Record<string, unknown> | null;
  sessions: Record<string, unknown>[];
  songs: { title: string; received: number; submissions: unknown[]; ratingsShown: unknown[] }[];
  ratingsGiven: Record<string, unknown>[];
  accountDeletedBefore: Record<string, unknown> | null;
  listens: Record<string, unknown>[];
  releasesWishedFor: Record<string, unknown>[];
  songsToRate: Record<string, unknown>[];
  songsNotPlayed: Record<string, unknown>[];
  mailAskedForWhenThereAreSongs: Record<string, unknown> | null;
  mails: Record<string, unknown>[];
  log: Record<string, unknown>[];
  loginCodes: Record<string, unknown>[];
}

async function exported(cookie: string): Promise<Exported> {
  const response = await request("/account/export", { cookie, form: {} });
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toMatch(/^application\/json/);
  expect(response.headers.get("Content-Disposition")).toBe(
    'attachment; filename="fivefold-account.json"',
  );
  return response.json<Exported>();
}

async function makeAccount(tier: "free" | "premium") {
  const member = await makeUser({ tier, ownEmail: "own@mail.example", receiveRatingEmails: true });
  const session = await makeSession(member);
  const other = await makeUser();
  const own = await makeSong(member, { received: 4 });
  await makeOwnRecording(member);
  const rated = await makeSong(other);
  await oweRating(own);
  await makeRating(member, rated, { score: 4, inPlaylist: true });
  await insert("playlist_adds", {
    ...{ user_id: member.id, song_id: rated.id, added_at: baseTime },
    ...{ playlist_id: "p".repeat(22), playlist_name: "Mine" },
  }).run();
  await makeListen(member, await makeSong(other), { requiredSeconds: 34, startedAt: baseTime + 1 });
  await makePackage(member, [rated]);
  await insert("pool_windows", {
    user_id: member.id,
    hears_spotify: 1,
    seen_to: baseTime - 1,
    waiting: "[]",
    updated_at: baseTime,
  }).run();
  const departure = { id: "d".repeat(43), user_id: member.id, left_at: baseTime - 86_400_000 };
  await insert("departures", departure).run();
  const ratedBefore = await makeSong(other);
  await insert("rating_marks", { departure_id: departure.id, song_id: ratedBefore.id }).run();
  await insert("unplayable_reports", {
    song_id: rated.id,
    user_id: member.id,
    created_at: baseTime,
    answered_at: baseTime + 1,
  }).run();
  const disliked = await makeSong(other);
  await insert("passes", {
    ...{ id: "pass", user_id: member.id, song_id: disliked.id, package_id: "package", slot: 1 },
    ...{ reason: "report", created_at: baseTime },
  }).run();
  await env.DB.prepare("UPDATE users SET passed_count = 1 WHERE id = ?").bind(member.id).run();
  await insert("reports", {
    ...{ id: "report", song_id: disliked.id, reporter_id: member.id },
    ...{ words: "It is silence.", created_at: baseTime },
  }).run();
  const wished = await makeOwnSong(other, { title: "Night Bus" });
  await makeRating(member, wished, { score: 4, at: baseTime + 70_000 });
  await insert("release_wishes", {
    ...{ user_id: member.id, song_id: wished.id, asked_at: baseTime },
  }).run();
  await insert("song_wishes", {
    ...{ id: "wish", user_id: member.id, asked_at: baseTime },
    ...{ looked_at: baseTime + 60_000, found_since: baseTime + 60_000 },
  }).run();
  await insert("activity_log", {
    id: "line",
    kind: "login",
    user_id: member.id,
    created_at: baseTime,
  }).run();
  await insert("mailed_proofs", {
    ...{ id: "code", kind: "login", address: "own@mail.example", asked_by: "b" },
    fingerprint: await addressFingerprint(readConfig(env).sessionSecret, "own@mail.example"),
    ...{ created_at: baseTime, expires_at: baseTime + 600_000, wrong_tries: 2 },
  }).run();
  const reason = "It is not music.";
  await insert("submission_locks", {
    ...{ id: "l".repeat(43), user_id: member.id, reason, locked_at: baseTime },
  }).run();
  await insert("operator_log", {
    ...{ id: "decision", operator: "operator", action: "lock", target: member.id },
    ...{ user_id: member.id, reason, created_at: baseTime },
  }).run();
  return { member, other, own, rated, ratedBefore, ...session };
}

test("the export has everything that is stored about a user, by name", async () => {
  const { member, own, rated, ratedBefore, cookie } = await makeAccount("premium");
  const before = await contents();
  const all = await exported(cookie);
  expect(all.person).toMatchObject({
    displayName: member.displayName,
    ownEmail: "own@mail.example",
  });
  expect(all.mail).toMatchObject({
    address: "own@mail.example",
    rating: true,
    addressesAskedToConfirm: [{ address: "own@mail.example" }],
  });
  expect(all.subscription).toMatchObject({ status: "active", tier: "premium" });
  expect(all.sessions).toHaveLength(1);
  expect(all.songs).toMatchObject([{ title: own.title, received: 5 }]);
  expect(all.songs[0]?.submissions).toHaveLength(1);
  expect(all.songs[0]?.ratingsShown).toHaveLength(5);
  expect(all.ratingsGiven).toMatchObject([
    {
      title: rated.title,
      score: 4,
      label: "Added to my playlist!",
      createdAt: new Date(baseTime + 60_000).toISOString(),
    },
    { title: "Night Bus", score: 4, wantsRelease: false },
  ]);
  expect(all.releasesWishedFor).toMatchObject([
    { title: "Night Bus", askedAt: new Date(baseTime).toISOString() },
  ]);
  expect(all.listens.map(({ requiredSeconds }) => requiredSeconds)).toEqual([55, 34, 55]);
  expect(all.songsToRate).toMatchObject([{ title: rated.title }]);
  expect(all.accountDeletedBefore).toEqual({
    deletedAt: new Date(baseTime - 86_400_000).toISOString(),
    songsNotOfferedAgain: [{ songId: ratedBefore.id, title: ratedBefore.title }],
  });
  expect(all.songsNotPlayed).toMatchObject([
    {
      title: rated.title,
      askedAt: new Date(baseTime).toISOString(),
      foundToPlayAt: new Date(baseTime + 1).toISOString(),
    },
  ]);
  expect(all.mailAskedForWhenThereAreSongs).toEqual({
    askedAt: new Date(baseTime).toISOString(),
    lastLookedAt: new Date(baseTime + 60_000).toISOString(),
    songsFoundSince: new Date(baseTime + 60_000).toISOString(),
  });
  expect(all.loginCodes).toMatchObject([{ wrongTries: 2, verifiedAt: null }]);
  expect(all.mails).toMatchObject([{ kind: "rating", state: "pending" }]);
  expect(all.log).toMatchObject([{ kind: "login", createdAt: new Date(baseTime).toISOString() }]);
  expect(await contents()).toEqual(before);
});

test("the export has nothing that would help to get around a rule", async () => {
  const { member, cookie } = await makeAccount("free");
  await env.DB.prepare(
    "UPDATE listens SET observed_at = started_at + 9, heard_ms = 1, recheck_at = started_at + 20 WHERE finished_at IS NULL",
  ).run();
  await insert("outbox", {
    ...{ id: "asking", user_id: member.id, kind: "confirmation", subject_id: "c", dedupe_key: "c" },
    ...{ text: "open /confirm-email?token=secret", state: "pending" },
    ...{ not_before: baseTime, created_at: baseTime },
  }).run();
  const all = await exported(cookie);
  // The time of the next spot check of an open listen, or that there was one.
  expect(all.listens.find(({ finishedAt }) => finishedAt === null)).toMatchObject({
    observedAt: null,
    heardMs: null,
    recheckAt: null,
  });
  // The link that confirms an address, which only whoever reads its mail may have.
  expect(JSON.stringify(all)).not.toContain("token=secret");
});

test("the export has no codes for an address that its user has not confirmed", async () => {
  const address = "unconfirmed@mail.example";
  const fingerprint = await addressFingerprint(readConfig(env).sessionSecret, address);
  await insert("mailed_proofs", {
    ...{ id: "code", kind: "login", address, fingerprint, asked_by: "b" },
    ...{ created_at: baseTime, expires_at: baseTime + 1 },
  }).run();
  const { cookie } = await makeMember({ email: address });
  expect((await exported(cookie)).loginCodes).toEqual([]);
});

test("the export covers every table that names the user", async () => {
  const { member, cookie } = await makeAccount("premium");
  const tables = await contents();
  const about = Object.keys(tables).filter((table) =>
    tables[table]?.some((row) => JSON.stringify(row).includes(member.id)),
  );
  // A new table that names users must be added to the export, and then to this list.
  expect(about.sort()).toEqual([
    "activity_log",
    "departures",
    "email_preferences",
    "listens",
    "mailed_proofs",
    "operator_log",
    "outbox",
    "packages",
    "passes",
    "playlist_adds",
    "pool_windows",
    "ratings",
    "recordings",
    "release_wishes",
    "reports",
    "sessions",
    "song_wishes",
    "songs",
    "submission_locks",
    "submissions",
    "subscriptions",
    "unplayable_reports",
    "users",
  ]);
  for (const [name, part] of Object.entries(await exported(cookie))) {
    const empty = part === null || (Array.isArray(part) && part.length === 0);
    expect([name, empty]).toEqual([name, false]);
  }
});

test("the export of a free user has no more ratings than the page shows", async () => {
  const { cookie } = await makeAccount("free");
  const [song] = (await exported(cookie)).songs;
  expect(song?.received).toBe(5);
  expect(song?.ratingsShown).toHaveLength(2);
});

test.each(["premium", "free"] as const)(
  "the export of a %s user has no score that its giver can still change",
  async (tier) => {
    const user = await makeUser({ tier });
    const { cookie } = await makeSession(user);
    const song = await makeSong(user, { received: 1 });
    const rater = await makeUser();
    const justNow = Math.floor(Date.now() / 60_000) * 60_000;
    await makeRating(rater, song, { score: 4, at: justNow });
    const scores = async () => (await exported(cookie)).songs[0]?.ratingsShown.length;
    expect(await scores()).toBe(1);
    passTime(2 * 60_000);
    expect(await scores()).toBe(1);
    passTime(60_000);
    expect(await scores()).toBe(2);
  },
);

test("the export has no secrets and nothing about anybody else", async () => {
  const { member, other, cookie, id, accessToken, refreshToken } = await makeAccount("premium");
  const text = JSON.stringify(await exported(cookie));
  const row = await env.DB.prepare("SELECT * FROM sessions WHERE id = ?").bind(id).first();
  const secrets = [id, accessToken, refreshToken, row?.access_token, row?.refresh_token];
  const others = await env.DB.prepare("SELECT id, spotify_id, display_name, email FROM users")
    .all<Record<string, string>>()
    .then(({ results }) => results.filter((user) => user.id !== member.id));
  expect(others.map((user) => user.id)).toContain(other.id);
  const foreign = others.flatMap((user) => Object.values(user));
  const ratings = await env.DB.prepare("SELECT id, listen_id FROM ratings").all();
  const ids = ratings.results.flatMap((rating) => Object.values(rating));
  const found = [...secrets, ...foreign, ...ids].filter((one) => text.includes(String(one)));
  expect(found).toEqual([]);
});

test("what happened at the same time has the same order in every export", async () => {
  const { user, cookie } = await makeMember();
  const titles: string[] = [];
  for (const id of ["c", "b", "a"]) {
    const song = await makeSong(await makeUser());
    const rating = await makeRating(user, song);
    await env.DB.prepare("UPDATE ratings SET id = ? WHERE id = ?").bind(id, rating).run();
    titles.unshift(song.title);
  }
  const { ratingsGiven } = await exported(cookie);
  expect(ratingsGiven.map(({ title }) => title)).toEqual(titles);
});
