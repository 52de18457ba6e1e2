import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { deleteAccount } from "~/domain/account/delete.server";
import { accountFingerprint, openPast } from "~/domain/departure/fingerprint.server";
import { readConfig } from "~/platform/env";
import { accountIdOf } from "../../sandbox/catalogue";
import { trackOf } from "../../support/catalogue";
import { contents, rowsOf } from "../../support/database/contents";
import {
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
  type TestUser,
} from "../../support/database/factories";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { stubBilling } from "../../support/stripe/billing-stub";
import { beginLogin, comeBack, cookieOf, decide, logIn } from "../session/login-flow";

const musician = "brigid-tarrowell";
const owners = ["mara-lind", "eino-kallas", "silas-whitcombe", "juno-starling"];
const day = 24 * 60 * 60 * 1000;

let songs: TestSong[];
beforeEach(async () => {
  songs = [];
  for (const owner of owners) {
    for (const n of [0, 1, 2, 3, 4])
      songs.push(await makeSong(await makeUser(), trackOf(owner, n)));
  }
});

/** Logs in through Spotify, always as the same musician. @returns the Cookie header. */
async function logInAgain(): Promise<string> {
  return cookieOf(await logIn(musician), "__Host-session");
}

async function pressDelete(cookie: string): Promise<number> {
  return (await request("/account/delete", { cookie, json: {} })).status;
}

/** The ids of the songs that the carousel offers, sorted. */
async function offered(cookie: string): Promise<string[]> {
  const page = await (await request("/", { cookie })).text();
  const forms = page.matchAll(/action="\/songs\/([^"/]+)\/play"/g);
  return [...new Set([...forms].map(([, id = ""]) => id))].sort();
}

function songOf(id: string | undefined): TestSong {
  const song = songs.find((one) => one.id === id);
  if (!song) throw new Error(`there is no song ${id}`);
  return song;
}

/** Listens to a song for the required time, by the server's clock and at Spotify. */
async function listenTo(cookie: string, song: TestSong): Promise<void> {
  const started = await request(`/songs/${song.id}/play`, { cookie, json: { deviceId: "here" } });
  expect(started.status).toBe(200);
  type Started = { listenId: string; requiredSeconds: number };
  const { listenId, requiredSeconds } = await started.json<Started>();
  const positionMs = (requiredSeconds + 1) * 1000;
  await control("play", { musician, trackId: song.trackId, positionMs });
  await env.DB.prepare("UPDATE listens SET started_at = started_at - ? WHERE id = ?")
    .bind(positionMs, listenId)
    .run();
}

async function pressRating(cookie: string, song: TestSong): Promise<number> {
  return (await request(`/songs/${song.id}/rating`, { cookie, json: { score: "4" } })).status;
}

async function rate(cookie: string, song: TestSong): Promise<number> {
  await listenTo(cookie, song);
  return pressRating(cookie, song);
}

/** How many ratings each song has, of the songs that have any. */
async function ratingsOfSongs(): Promise<unknown[]> {
  const rows = await rowsOf("SELECT count(*) AS n FROM ratings GROUP BY song_id");
  return rows.map((row) => (row as { n: number }).n);
}

/** The musician's current user account. */
async function currentUser(): Promise<TestUser> {
  const query = env.DB.prepare(
    "SELECT id, display_name AS displayName FROM users WHERE spotify_id = ?",
  );
  const user = await query.bind(accountIdOf(musician)).first<TestUser>();
  if (!user) throw new Error("nobody is logged in");
  return user;
}

async function drawnAt(): Promise<number> {
  const { id } = await currentUser();
  const query = env.DB.prepare("SELECT drawn_at FROM packages WHERE user_id = ?").bind(id);
  return (await query.first<number>("drawn_at")) ?? 0;
}

test("deleting the account and coming back again and again allows one rating a song and one draw a day", async () => {
  const ratedBy: string[] = [];
  const seen = new Set<string>();
  for (let account = 0; account < 12; account += 1) {
    const cookie = await logInAgain();
    const ids = await offered(cookie);
    for (const id of ids) seen.add(id);
    const chosen = ratedBy[0] ?? ids[0] ?? "";
    if (ids.includes(chosen)) {
      expect(await rate(cookie, songOf(chosen))).toBe(200);
      ratedBy.push(chosen);
    }
    expect(await pressDelete(cookie)).toBe(200);
  }
  expect(await ratingsOfSongs()).toEqual([1]);
  expect(ratedBy).toHaveLength(1);
  expect(seen.size).toBe(5);
});

test("the database refuses a second rating of a song, even if the song is in a package again", async () => {
  const first = await logInAgain();
  const song = songOf((await offered(first))[0]);
  expect(await rate(first, song)).toBe(200);
  await pressDelete(first);
  const again = await logInAgain();
  await makePackage(await currentUser(), [song]);
  const before = await contents("ratings", "songs", "users", "activity_log", "outbox");
  expect(await rate(again, song)).toBe(409);
  expect(await contents("ratings", "songs", "users", "activity_log", "outbox")).toEqual(before);

  // Thirty days later, before the purge has run.
  await env.DB.prepare("UPDATE rating_marks SET ends_at = 0").run();
  expect(await pressRating(again, song)).toBe(200);
  expect(await ratingsOfSongs()).toEqual([2]);
  const [mark] = await rowsOf("SELECT ends_at FROM rating_marks");
  expect((mark as { ends_at: number }).ends_at).toBeGreaterThan(Date.now() + 30 * day);
});

test("the rest of the package comes back without the rated songs, until its day is over", async () => {
  const first = await logInAgain();
  const [rated, ...left] = await offered(first);
  const began = await drawnAt();
  await rate(first, songOf(rated));
  await pressDelete(first);
  const second = await logInAgain();
  expect(await offered(second)).toEqual(left);
  expect(await drawnAt()).toBe(began);
  await pressDelete(second);
  // Deleting the account without opening the carousel changes nothing about it.
  await pressDelete(await logInAgain());
  const third = await logInAgain();
  expect(await offered(third)).toEqual(left);

  await env.DB.prepare("UPDATE packages SET drawn_at = drawn_at - ?").bind(day).run();
  await pressDelete(third);
  const fourth = await logInAgain();
  const drawn = await offered(fourth);
  expect(await drawnAt()).toBeGreaterThan(began);
  expect(drawn).toHaveLength(5);
  expect(drawn).not.toContain(rated);
});

test("songs passed on do not come back, and the passes stay used", async () => {
  const pass = async (cookie: string, id = "") =>
    (await request(`/songs/${id}/pass`, { cookie, json: { reason: "taste" } })).status;
  const first = await logInAgain();
  const passed = (await offered(first)).slice(0, 1);
  expect(await pass(first, passed[0])).toBe(200);
  const left = await offered(first);
  expect(left).toHaveLength(5);
  await pressDelete(first);

  const second = await logInAgain();
  expect(await offered(second)).toEqual(left);
  expect(await pass(second, left[0])).toBe(200);
  expect(await pass(second, left[1])).toBe(409);
  passed.push(left[0] ?? "");
  await env.DB.prepare("UPDATE packages SET drawn_at = drawn_at - ?").bind(day).run();
  await pressDelete(second);

  const third = await logInAgain();
  for (let n = 0; n < 4; n += 1) {
    const [id] = await offered(third);
    expect(await pass(third, id)).toBe(200);
    passed.push(id ?? "");
    if (n % 2) await env.DB.prepare("UPDATE packages SET drawn_at = drawn_at - ?").bind(day).run();
  }
  const rest = await offered(third);
  expect(await pass(third, rest[0])).toBe(409);
  expect(new Set(passed).size).toBe(6);
  expect(rest.filter((id) => passed.includes(id))).toEqual([]);
});

test("somebody who had rated everything has nothing to rate, and may submit as before", async () => {
  const others =
    "DELETE FROM users WHERE id IN (SELECT owner_id FROM songs WHERE id NOT IN (?, ?))";
  const [one, two] = songs as [TestSong, TestSong];
  await env.DB.prepare(others).bind(one.id, two.id).run();
  const cookie = await logInAgain();
  expect(await offered(cookie)).toHaveLength(2);
  for (const song of [one, two]) expect(await rate(cookie, song)).toBe(200);
  await pressDelete(cookie);
  const again = await logInAgain();
  expect(await offered(again)).toEqual([]);
  const form = { trackId: trackOf(musician, 0).trackId };
  expect((await request("/submissions", { cookie: again, json: form })).status).toBe(200);
});

test("the package comes back with either Spotify app, and with two logins at once", async () => {
  const cookie = await logInAgain();
  const left = await offered(cookie);
  await pressDelete(cookie);
  const together = await Promise.all([logInAgain(), logInAgain()]);
  expect(await Promise.all(together.map(offered))).toEqual([left, left]);
  expect(await rowsOf("SELECT count(*) AS n FROM departures WHERE user_id IS NOT NULL")).toEqual([
    { n: 1 },
  ]);
  const apps = new Set<string | null>();
  for (let login = 0; login < 64 && apps.size < 2; login += 1) {
    const begun = await beginLogin();
    apps.add(begun.authorizeUrl.searchParams.get("client_id"));
    const answer = await comeBack(await decide(begun, musician), begun.cookie);
    const session = cookieOf(answer, "__Host-session");
    expect(await offered(session)).toEqual(left);
    await pressDelete(session);
  }
  expect(apps.size).toBe(2);
  expect(await rowsOf("SELECT count(*) AS n FROM departures")).toEqual([{ n: 1 }]);
});

test("a rating or a draw at the same moment as the deletion counts too", async () => {
  const seen = new Set<string>();
  for (let round = 0; round < 6; round += 1) {
    const cookie = await logInAgain();
    const [ids, answer] = await Promise.all([offered(cookie), pressDelete(cookie)]);
    for (const id of ids) seen.add(id);
    expect([200, 409]).toContain(answer);
  }
  const cookie = await logInAgain();
  const ids = await offered(cookie);
  for (const id of ids) seen.add(id);
  expect(seen.size).toBe(5);

  const song = songOf(ids[0]);
  await listenTo(cookie, song);
  await Promise.all([pressRating(cookie, song), pressDelete(cookie)]);
  await pressDelete(cookie);
  const again = await logInAgain();
  await makePackage(await currentUser(), [song]);
  await rate(again, song);
  expect(await ratingsOfSongs()).toEqual([1]);
});

test("a draw made while Stripe is asked to end the subscription is remembered too", async () => {
  const user = await makeUser({ tier: "premium" });
  let asked = 0;
  const billing = stubBilling({
    async customer(id) {
      asked += 1;
      if (asked === 1) await makePackage(user, songs.slice(0, 5));
      return { id, userId: user.id, email: null };
    },
    deleteCustomer: async () => undefined,
  });
  const { sessionSecret: secret } = readConfig(env);
  const services = { db: createDatabase(env.DB), billing, secret, now: Date.now };
  expect(await deleteAccount(services, user.id)).toBe("deleted");
  expect(asked).toBe(2);
  expect(await rowsOf("SELECT count(*) AS n FROM departures")).toEqual([{ n: 1 }]);
});

test("what is kept of a deleted account names no person, no song and no time", async () => {
  const cookie = await logInAgain();
  const user = await currentUser();
  const rated = (await offered(cookie)).slice(0, 2).map(songOf);
  for (const song of rated) await rate(cookie, song);
  const times = await rowsOf("SELECT created_at FROM ratings UNION SELECT drawn_at FROM packages");
  await pressDelete(cookie);
  const left = await contents("rating_marks", "departures");
  expect(left.rating_marks).toHaveLength(2);
  expect(left.departures).toMatchObject([{ user_id: null }]);
  const text = JSON.stringify(left);
  const names = [user.id, user.displayName, musician, accountIdOf(musician)];
  const about = [...rated, ...songs].flatMap((song) => [song.id, song.trackId, song.ownerId]);
  const moments = (times as { created_at: number }[]).map((row) => String(row.created_at));
  expect(moments).toHaveLength(3);
  expect([...names, ...about, ...moments].filter((name) => text.includes(name))).toEqual([]);

  // A musician who has only opened the carousel leaves a row of the same length.
  const other = cookieOf(await logIn("casimir-zareba"), "__Host-session");
  await offered(other);
  await pressDelete(other);
  expect(await rowsOf("SELECT count(DISTINCT length(sealed)) AS n FROM departures")).toEqual([
    { n: 1 },
  ]);
});

test("what others have rated and drawn is no part of it, and stays what it is", async () => {
  const other = await makeUser();
  await makePackage(other, songs.slice(0, 3));
  for (const song of songs) await makeRating(other, song, { at: Date.now() });
  const elsewhere = cookieOf(await logIn("casimir-zareba"), "__Host-session");
  await offered(elsewhere);
  await pressDelete(elsewhere);

  const cookie = await logInAgain();
  const drawn = await offered(cookie);
  await pressDelete(cookie);
  const { sessionSecret: secret } = readConfig(env);
  const spotifyId = accountIdOf(musician);
  const query = "SELECT sealed FROM departures WHERE id = ?";
  const [row] = await rowsOf(query, await accountFingerprint(secret, spotifyId));
  const { sealed } = row as { sealed: string };
  const past = await openPast({ secret, now: Date.now() }, spotifyId, sealed);
  expect(past?.rated).toEqual([]);
  expect(past?.drawn?.songIds.toSorted()).toEqual(drawn);
  await logInAgain();
  expect(await rowsOf("SELECT count(user_id) AS known FROM departures")).toEqual([{ known: 1 }]);
});

test("whoever is deleted already is deleted", async () => {
  const { sessionSecret: secret } = readConfig(env);
  const services = { db: createDatabase(env.DB), billing: stubBilling(), secret, now: Date.now };
  expect(await deleteAccount(services, "nobody")).toBe("deleted");
});

test("whoever has neither rated nor drawn leaves nothing", async () => {
  await pressDelete(await logInAgain());
  expect(await contents("rating_marks", "departures")).toEqual({
    rating_marks: [],
    departures: [],
  });
});

test("the account page and the privacy policy say what is kept", async () => {
  const account = await (await request("/account", { cookie: await logInAgain() })).text();
  expect(account).toContain("encrypted fingerprints");
  const policy = await (await request("/imprint")).text();
  expect(policy).toContain("fingerprint of your Spotify account and the song");
});
