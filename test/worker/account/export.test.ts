import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { exportAccount } from "~/account/export.server";
import { addressFingerprint } from "~/mailing/suppression.server";
import { unseal } from "~/platform/crypto.server";
import { readConfig } from "~/platform/env";
import { unchanged } from "../../support/answers";
import { passTime } from "../../support/clock";
import { contents } from "../../support/database/contents";
import { baseTime, insert, makeOwnRecording, makeRating } from "../../support/database/factories";
import { change, row, rows } from "../../support/database/rows";
import { oweRating } from "../../support/mails";
import { ownSong, type Someone, someone, song } from "../../support/people";

type Exported = Awaited<ReturnType<typeof exportAccount>>;

const day = 86_400_000;
const at = (ms: number) => new Date(baseTime + ms).toISOString();
const address = "own@mail.example";

async function exported(who: Someone): Promise<Exported> {
  const response = await who.posts("/account/export");
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toMatch(/^application\/json/);
  const file = 'attachment; filename="fivefold-account.json"';
  expect(response.headers.get("Content-Disposition")).toBe(file);
  return response.json<Exported>();
}

/** A code that was asked for an address. */
async function insertCode(of: string): Promise<void> {
  const fingerprint = await addressFingerprint(readConfig(env).sessionSecret, of);
  await insert("mailed_proofs", {
    ...{ id: "code", kind: "login", address: of, fingerprint, asked_by: "b" },
    ...{ created_at: baseTime, expires_at: baseTime + 600_000, wrong_tries: 2 },
  }).run();
}

/** Somebody with something in each part of the export. */
async function makeAccount(tier: "free" | "premium") {
  const [rated, ratedBefore, disliked, heard] = [
    await song(),
    await song(),
    await song(),
    await song(),
  ];
  const who = await someone({
    ...{ tier, ownEmail: address, receiveRatingEmails: true, offered: [rated] },
    ...{ listensTo: heard, late: 1 },
  });
  await who.login();
  const own = await song({ owner: who, received: 4 });
  await makeOwnRecording(who);
  await change("recordings", { ownerId: who.id }, { loudness: -142 });
  await oweRating(own);
  await makeRating(who, rated, { score: 4, inPlaylist: true });
  const wished = await ownSong({ title: "Night Bus" });
  await makeRating(who, wished, { score: 4, at: baseTime + 70_000 });
  await change("users", { id: who.id }, { passedCount: 1 });
  const user_id = who.id;
  const created_at = baseTime;
  const departure_id = "d".repeat(43);
  const reason = "It is not music.";
  await env.DB.batch([
    insert("playlist_adds", {
      ...{ user_id, song_id: rated.id, added_at: baseTime },
      ...{ playlist_id: "p".repeat(22), playlist_name: "Mine" },
    }),
    insert("pool_windows", {
      ...{ user_id, hears_spotify: 1, seen_to: baseTime - 1, waiting: "[]", updated_at: baseTime },
    }),
    insert("departures", { id: departure_id, user_id, left_at: baseTime - day }),
    insert("rating_marks", { departure_id, song_id: ratedBefore.id }),
    insert("unplayable_reports", {
      ...{ song_id: rated.id, user_id, created_at, answered_at: baseTime + 1 },
    }),
    insert("passes", {
      ...{ id: "pass", user_id, song_id: disliked.id, package_id: "package", slot: 1 },
      ...{ reason: "report", created_at },
    }),
    insert("reports", {
      ...{ id: "report", song_id: disliked.id, reporter_id: who.id, created_at },
      words: "It is silence.",
    }),
    insert("rounds", {
      ...{ id: "round", host_id: user_id, name: "Friday", token: "round", seats: 6, created_at },
      ...{ gather_until: baseTime + day, listen_ms: day },
    }),
    insert("round_members", { round_id: "round", user_id, song_id: null, joined_at: baseTime }),
    insert("release_wishes", { user_id, song_id: wished.id, asked_at: baseTime }),
    insert("song_wishes", {
      ...{ id: "wish", user_id, asked_at: baseTime },
      ...{ looked_at: baseTime + 60_000, found_since: baseTime + 60_000 },
    }),
    insert("activity_log", { id: "line", kind: "login", user_id, created_at }),
    insert("submission_locks", { id: "l".repeat(43), user_id, reason, locked_at: baseTime }),
    insert("operator_log", {
      ...{ id: "decision", operator: "operator", action: "lock", target: who.id },
      ...{ user_id, reason, created_at },
    }),
  ]);
  await insertCode(address);
  return { who, own, rated, ratedBefore };
}

test("the export has everything that is stored about a user, by name", async () => {
  const { who, own, rated, ratedBefore } = await makeAccount("premium");
  const all = await unchanged(() => exported(who));
  const { title } = rated;
  expect(all).toMatchObject({
    person: { displayName: who.displayName, ownEmail: address },
    ownRecordings: [{ loudnessLufs: -14.2 }],
    mail: { address, rating: true, addressesAskedToConfirm: [{ address }] },
    subscription: { status: "active", tier: "premium" },
    sessions: [{}],
    songs: [{ title: own.title, received: 5, submissions: [{}], ratingsShown: Array(5).fill({}) }],
    ratingsGiven: [
      { title, score: 4, label: "Added to my playlist!", createdAt: at(60_000) },
      { title: "Night Bus", score: 4, wantsRelease: false },
    ],
    releasesWishedFor: [{ title: "Night Bus", askedAt: at(0) }],
    listens: [{}, { startedAt: at(1) }, {}],
    songsToRate: [{ title }],
    songsNotPlayed: [{ title, askedAt: at(0), foundToPlayAt: at(1) }],
    loginCodes: [{ wrongTries: 2, verifiedAt: null }],
    mails: [{ kind: "rating", state: "pending" }],
    log: [{ kind: "login", createdAt: at(0) }],
  });
  expect(all.accountDeletedBefore).toEqual({
    deletedAt: at(-day),
    songsNotOfferedAgain: [{ songId: ratedBefore.id, title: ratedBefore.title }],
  });
  expect(all.mailAskedForWhenThereAreSongs).toEqual({
    ...{ askedAt: at(0), lastLookedAt: at(60_000), songsFoundSince: at(60_000) },
  });
});

test("the export has nothing that would help to get around a rule", async () => {
  const { who } = await makeAccount("free");
  const recheck = { observedAt: baseTime + 9, heardMs: 1, recheckAt: baseTime + 20 };
  await change("listens", { finishedAt: null }, recheck);
  await insert("outbox", {
    ...{ id: "asking", user_id: who.id, kind: "confirmation", subject_id: "c", dedupe_key: "c" },
    ...{ text: "open /confirm-email?token=secret", state: "pending" },
    ...{ not_before: baseTime, created_at: baseTime },
  }).run();
  const all = await exported(who);
  // The time of the next spot check of an open listen, or that there was one.
  expect(all.listens.find(({ finishedAt }) => finishedAt === null)).toMatchObject({
    ...{ observedAt: null, heardMs: null, recheckAt: null },
  });
  // The link that confirms an address, which only whoever reads its mail may have.
  expect(JSON.stringify(all)).not.toContain("token=secret");
});

test("the export has no codes for an address that its user has not confirmed", async () => {
  const email = "unconfirmed@mail.example";
  await insertCode(email);
  expect((await exported(await someone({ email }))).loginCodes).toEqual([]);
});

test("the export covers every table that names the user", async () => {
  const { who } = await makeAccount("premium");
  const tables = Object.entries(await contents());
  const about = tables.filter(([, found]) => JSON.stringify(found).includes(who.id));
  // A new table that names users must be added to the export, and then to this list.
  expect(about.map(([table]) => table).sort()).toEqual([
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
    "round_members",
    "rounds",
    "sessions",
    "song_wishes",
    "songs",
    "submission_locks",
    "submissions",
    "subscriptions",
    "unplayable_reports",
    "users",
  ]);
  for (const [name, part] of Object.entries(await exported(who))) {
    const empty = part === null || (Array.isArray(part) && part.length === 0);
    expect([name, empty]).toEqual([name, false]);
  }
});

test("the export of a free user has no more ratings than the page shows", async () => {
  const { who } = await makeAccount("free");
  const [own] = (await exported(who)).songs;
  expect([own?.received, own?.ratingsShown.length]).toEqual([5, 2]);
});

test.each(["premium", "free"] as const)(
  "the export of a %s user has no score that its giver can still change",
  async (tier) => {
    const owner = await someone({ tier });
    const it = await song({ owner, received: 1 });
    const justNow = Math.floor(Date.now() / 60_000) * 60_000;
    await makeRating(await someone(), it, { score: 4, at: justNow });
    for (const [minutes, shown] of [
      [0, 1],
      [2, 1],
      [1, 2],
    ] as const) {
      passTime(minutes * 60_000);
      expect((await exported(owner)).songs[0]?.ratingsShown).toHaveLength(shown);
    }
  },
);

test("the export has no secrets and nothing about anybody else", async () => {
  const { who } = await makeAccount("premium");
  const text = JSON.stringify(await exported(who));
  const { id, accessToken, refreshToken } = await row("sessions");
  const { tokenKey } = readConfig(env);
  const unsealed = [accessToken, refreshToken].map((one) => unseal(tokenKey, one ?? "", id));
  const others = (await rows("users")).filter((user) => user.id !== who.id);
  const foreign = others.flatMap((user) => [user.id, user.spotifyId, user.displayName, user.email]);
  expect(foreign.length).toBeGreaterThan(20);
  const ids = (await rows("ratings")).flatMap(({ id, listenId }) => [id, listenId]);
  const secrets = [id, accessToken, refreshToken, ...(await Promise.all(unsealed))];
  const found = [...secrets, ...foreign, ...ids].filter((one) => text.includes(String(one)));
  expect(found).toEqual([]);
});

test("what happened at the same time has the same order in every export", async () => {
  const who = await someone();
  const titles: string[] = [];
  for (const id of ["c", "b", "a"]) {
    const it = await song();
    await change("ratings", { id: await makeRating(who, it) }, { id });
    titles.unshift(it.title);
  }
  const { ratingsGiven } = await exported(who);
  expect(ratingsGiven.map(({ title }) => title)).toEqual(titles);
});
