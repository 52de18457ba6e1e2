import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { deleteAccount } from "~/account/delete.server";
import { purgeExpired } from "~/account/purge.server";
import { createDatabase } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { replacePackage } from "~/exchange/carousel/package.server";
import { submitSong } from "~/exchange/submission/submit.server";
import { readConfig } from "~/platform/env";
import { accountIdOf } from "../../sandbox/catalogue";
import { trackOf } from "../../support/catalogue";
import { contents, rowsOf } from "../../support/database/contents";
import {
  insert,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
  type TestUser,
} from "../../support/database/factories";
import { makeViewer } from "../../support/login";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { servicesAt } from "../../support/services";
import { catalogue } from "../../support/spotify/stub";
import { stubBilling } from "../../support/stripe/billing-stub";
import { cookieOf, logIn } from "../session/login-flow";

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
  // A minute more than the song has played: on a busy machine it may be over when it is rated.
  await env.DB.prepare("UPDATE listens SET started_at = started_at - ? WHERE id = ?")
    .bind(positionMs + 60_000, listenId)
    .run();
}

async function pressRating(cookie: string, song: TestSong): Promise<number> {
  return (await request(`/songs/${song.id}/rating`, { cookie, json: { score: "4" } })).status;
}

async function rate(cookie: string, song: TestSong): Promise<number> {
  await listenTo(cookie, song);
  return pressRating(cookie, song);
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

/** Lets time pass since the musician left. */
async function pass(ms: number): Promise<void> {
  await env.DB.prepare("UPDATE departures SET left_at = left_at - ?").bind(ms).run();
}

async function submit(cookie: string, n = 0): Promise<number> {
  const form = { trackId: trackOf(musician, n).trackId };
  return (await request("/submissions", { cookie, json: form })).status;
}

async function count(from: string): Promise<unknown> {
  const [row] = await rowsOf(`SELECT count(*) AS n FROM ${from}`);
  return (row as { n: number }).n;
}

test("what stays marked is what this account has rated or was refused, and nothing of others'", async () => {
  const cookie = await logInAgain();
  const [user, other] = [await currentUser(), await makeUser()];
  const refuse = (to: TestUser, song: TestSong) =>
    insert("unplayable_reports", { song_id: song.id, user_id: to.id, created_at: 1 }).run();
  const [rated, refused, theirs, alsoTheirs] = songs as [TestSong, TestSong, TestSong, TestSong];
  await makeRating(user, rated);
  await refuse(user, refused);
  await makeRating(other, theirs);
  await refuse(other, alsoTheirs);
  await pressDelete(cookie);
  const marked = await rowsOf("SELECT song_id FROM rating_marks ORDER BY song_id");
  expect(marked).toEqual([rated.id, refused.id].sort().map((song_id) => ({ song_id })));
});

test("who comes back gets no songs until a day is over, and every screen says until when", async () => {
  const first = await logInAgain();
  expect(await offered(first)).toHaveLength(5);
  await pressDelete(first);
  const again = await logInAgain();
  const [departure] = (await rowsOf("SELECT left_at FROM departures")) as { left_at: number }[];
  const until = new Date(Math.ceil(((departure?.left_at ?? 0) + day) / 60_000) * 60_000);
  const time = `${until.toISOString().slice(11, 16)} UTC`;

  const carousel = await (await request("/", { cookie: again })).text();
  expect(carousel).toContain("Welcome back");
  expect(carousel).toContain(time);
  expect(carousel).not.toContain('action="/songs/');
  expect(carousel).not.toMatch(/to rate before|You can submit a song now|E-mail me when/);
  const choice = await (await request("/?menu=addownsong", { cookie: again })).text();
  expect(choice).toContain(time);
  for (const [path, json] of [
    ["/submissions", { trackId: trackOf(musician, 0).trackId }],
    ["/song-mail", { wanted: "true" }],
  ] as const) {
    const refused = await request(path, { cookie: again, json });
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining(time)]);
  }
  expect(await count("packages")).toBe(0);

  await pass(day);
  expect(await offered(again)).toHaveLength(5);
});

test("deleting the account again and again gains neither a draw, nor a free submission, nor a mail", async () => {
  await env.DB.prepare("DELETE FROM users").run();
  const answers: number[] = [];
  for (let account = 0; account < 4; account += 1) {
    const cookie = await logInAgain();
    answers.push(await submit(cookie, account));
    if (account === 0) expect(await count("outbox")).toBe(1);
    else expect(await count("songs")).toBe(0);
    expect(await count("outbox")).toBe(account === 0 ? 1 : 0);
    await pressDelete(cookie);
  }
  expect(answers).toEqual([200, 409, 409, 409]);
  const cookie = await logInAgain();
  await pass(day);
  expect([await submit(cookie, 0), await submit(cookie, 1)]).toEqual([200, 409]);
});

test("the batch of a submission refuses it too, whatever was read before", async () => {
  await env.DB.prepare("DELETE FROM users").run();
  const viewer = await makeViewer(await makeUser());
  const track = trackOf(musician, 0);
  const spotify = catalogue(track);
  const services = servicesAt(Date.now, {
    spotify: {
      ...spotify,
      async track(trackId: string) {
        const departure = { id: "d".repeat(43), user_id: viewer.userId, left_at: Date.now() };
        await insert("departures", departure).run();
        return spotify.track(trackId);
      },
    },
  });
  const form = { trackId: track.trackId, requestKey: "form" };
  expect(await submitSong(services, viewer, form)).toMatchObject({ rejected: true, status: 409 });
  expect(await count("songs")).toBe(0);
});

test("the database draws no package while somebody is away", async () => {
  await pressDelete(await logInAgain());
  const cookie = await logInAgain();
  const { id: userId } = await currentUser();
  const db = createDatabase(env.DB);
  const drawn = songs.slice(0, 5).map(({ id }) => ({ songId: id }));
  const draw = (drawnAt: number) =>
    runBatch(db, replacePackage(db, { userId, lastNumber: 0, drawn, drawnAt, hears: true }));
  expect((await draw(Date.now())).standing).toEqual([]);
  expect(await offered(cookie)).toEqual([]);
  expect((await draw(Date.now() + day)).standing).toHaveLength(5);
});

test("rated songs are not drawn for thirty days, and cannot be rated again", async () => {
  const first = await logInAgain();
  const rated = (await offered(first)).slice(0, 2).map(songOf);
  for (const song of rated) expect(await rate(first, song)).toBe(200);
  await pressDelete(first);
  const again = await logInAgain();
  await pass(29 * day);
  // Of ten songs each is drawn sooner or later, if it can be.
  const others = songs.filter(({ id }) => !rated.some((song) => song.id === id)).slice(8);
  for (const { ownerId } of others) {
    await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(ownerId).run();
  }
  const seen = new Set<string>();
  for (let draw = 0; draw < 8; draw += 1) {
    for (const id of await offered(again)) seen.add(id);
    await env.DB.prepare("DELETE FROM packages").run();
  }
  expect(rated.filter(({ id }) => seen.has(id))).toEqual([]);

  const [song] = rated as [TestSong];
  await makePackage(await currentUser(), [song]);
  const before = await contents("ratings", "songs", "users", "activity_log", "outbox");
  expect(await rate(again, song)).toBe(409);
  expect(await contents("ratings", "songs", "users", "activity_log", "outbox")).toEqual(before);

  await pass(day);
  await purgeExpired(createDatabase(env.DB), Date.now());
  expect(await contents("departures", "rating_marks")).toEqual({
    departures: [],
    rating_marks: [],
  });
  expect(await pressRating(again, song)).toBe(200);
  expect(await count("ratings")).toBe(3);
});

test("leaving again keeps the marks of both accounts, and the day begins anew", async () => {
  const first = await logInAgain();
  const song = songOf((await offered(first))[0]);
  await rate(first, song);
  await pressDelete(first);
  const second = await logInAgain();
  await pass(day);
  const other = songOf((await offered(second))[0]);
  await rate(second, other);
  await pressDelete(second);
  expect(await count("rating_marks")).toBe(2);
  expect(await offered(await logInAgain())).toEqual([]);
});

test("two logins at once both wait, and a login during the deletion is no way around it", async () => {
  await pressDelete(await logInAgain());
  const together = await Promise.all([logInAgain(), logInAgain()]);
  expect(await Promise.all(together.map(offered))).toEqual([[], []]);
  expect(await count("departures WHERE user_id IS NOT NULL")).toBe(1);

  await env.DB.batch([
    env.DB.prepare("DELETE FROM users"),
    env.DB.prepare("DELETE FROM departures"),
  ]);
  for (let n = 0; n < 5; n += 1) await makeSong(await makeUser(), trackOf("mara-lind", n));
  for (let round = 0; round < 5; round += 1) {
    const cookie = await logInAgain();
    const [answer] = await Promise.all([pressDelete(cookie), logInAgain(), logInAgain()]);
    expect(answer).toBe(200);
    expect(await offered(await logInAgain())).toEqual([]);
  }
  expect(await count("packages")).toBe(0);
});

test("a rating at the same moment as the deletion counts once", async () => {
  const cookie = await logInAgain();
  const song = songOf((await offered(cookie))[0]);
  await listenTo(cookie, song);
  await Promise.all([pressRating(cookie, song), pressDelete(cookie)]);
  const ratings = await count("ratings");
  expect(await count("rating_marks")).toBe(ratings);
  const again = await logInAgain();
  await pass(day);
  await makePackage(await currentUser(), [song]);
  await rate(again, song);
  expect(await count("ratings")).toBe(1);
});

test("a customer that a checkout makes during the deletion is deleted too", async () => {
  const user = await makeUser({ tier: "premium" });
  const asked: string[] = [];
  const deleted: string[] = [];
  const billing = stubBilling({
    async customer(id) {
      asked.push(id);
      await env.DB.prepare("UPDATE subscriptions SET customer_id = 'cus_later'").run();
      return { id, userId: user.id, email: null };
    },
    deleteCustomer: async (id) => void deleted.push(id),
  });
  const { sessionSecret: secret } = readConfig(env);
  const services = { db: createDatabase(env.DB), billing, secret, now: Date.now };
  expect(await deleteAccount(services, user.id)).toEqual({ sharePaths: [] });
  expect(deleted).toEqual([asked[0], "cus_later"]);
});

test("what is kept names neither the account nor a score, and comes from nobody else", async () => {
  const other = await makeUser();
  for (const song of songs) await makeRating(other, song, { at: Date.now() });
  const cookie = await logInAgain();
  const user = await currentUser();
  const song = songOf((await offered(cookie))[0]);
  await rate(cookie, song);
  await env.DB.prepare(
    "INSERT INTO unplayable_reports (song_id, user_id, created_at) VALUES (?, ?, ?)",
  )
    .bind(songs.find(({ id }) => id !== song.id)?.id, user.id, Date.now())
    .run();
  await pressDelete(cookie);
  const left = await contents("rating_marks", "departures");
  expect(left.rating_marks).toHaveLength(2);
  expect(left.rating_marks?.map((row) => Object.keys(row as object))).toEqual(
    Array(2).fill(["departure_id", "song_id", "recording"]),
  );
  expect(left.departures).toMatchObject([{ user_id: null, id: expect.any(String) }]);
  const text = JSON.stringify(left);
  const names = [user.id, user.displayName, musician, accountIdOf(musician)];
  expect(names.filter((name) => text.includes(name))).toEqual([]);
});

test("another account is not concerned", async () => {
  await pressDelete(await logInAgain());
  expect(await offered(cookieOf(await logIn("casimir-zareba"), "__Host-session"))).toHaveLength(5);
});

test("whoever is deleted already is deleted", async () => {
  const { sessionSecret: secret } = readConfig(env);
  const services = { db: createDatabase(env.DB), billing: stubBilling(), secret, now: Date.now };
  expect(await deleteAccount(services, "nobody")).toEqual({ sharePaths: [] });
});

test("the account page and the privacy policy say what is kept, and what coming back means", async () => {
  const account = await (await request("/account", { cookie: await logInAgain() })).text();
  expect(account).toContain(
    "you get no songs to rate and cannot submit any until that day is over",
  );
  const policy = await (await request("/imprint")).text();
  expect(policy).toContain(
    "under fingerprints of your Spotify account and your confirmed e-mail address",
  );
});
