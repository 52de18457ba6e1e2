import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { purgeExpired } from "~/account/purge.server";
import { runBatch } from "~/db/gated";
import { replacePackage } from "~/exchange/carousel/package.server";
import { accountIdOf } from "../../sandbox/catalogue";
import { counts, hides, holds, says, shows, unchanged } from "../../support/answers";
import { trackOf } from "../../support/catalogue";
import { contents } from "../../support/database/contents";
import {
  baseTime,
  insert,
  makePackage,
  makeRating,
  type TestUser,
} from "../../support/database/factories";
import { change, db, row, rows } from "../../support/database/rows";
import { type Cast, someone, song, songs } from "../../support/people";
import { browser } from "../../support/people/logins";
import { catalogue } from "../../support/spotify/stub";

const musician = "brigid-tarrowell";
const day = 24 * 60 * 60 * 1000;

/** The musician logs in, as whoever they are by now. */
async function logIn(as = musician) {
  const it = browser();
  await it.logsIn(as);
  const user = await row("users", { spotifyId: accountIdOf(as) });
  return {
    ...it,
    user,
    deletes: async () => (await it.sends("/account/delete")).status,
    /** The songs that the carousel offers. */
    async offered(): Promise<string[]> {
      const forms = (await it.reads("/")).matchAll(/action="\/songs\/([^"/]+)\/play"/g);
      return [...new Set([...forms].map(([, id = ""]) => id))];
    },
    async submits(n = 0) {
      const { trackId } = trackOf(musician, n);
      return (await it.sends("/submissions", { trackId })).status;
    },
  };
}

/** Somebody who has listened to a song for a while. */
async function listening(user: TestUser, it: Cast<typeof song>) {
  const now = Date.now();
  const who = await someone({ user, listensTo: it, late: now - baseTime - 90_000 });
  await who.viewer();
  return who.at(now);
}

async function rate(user: TestUser, it: Cast<typeof song>) {
  return (await listening(user, it)).rates(it);
}

/** Lets time pass since the musician left. */
async function pass(ms: number): Promise<void> {
  for (const { id, leftAt } of await rows("departures")) {
    await change("departures", { id }, { leftAt: leftAt - ms });
  }
}

const forgetPackages = () => env.DB.prepare("DELETE FROM packages").run();

test("what stays is what this account has rated or was refused, by no name and without a score, and nothing of others'", async () => {
  const { user, deletes } = await logIn();
  const other = await someone();
  const made = await songs(4);
  for (const [n, it] of made.entries()) {
    const by = n < 2 ? user : other;
    if (n % 2) await makeRating(by, it);
    else
      await insert("unplayable_reports", { song_id: it.id, user_id: by.id, created_at: 1 }).run();
  }
  await deletes();
  const left = await contents("rating_marks", "departures");
  const marks = left.rating_marks as Record<string, unknown>[];
  expect(marks.map(({ song_id }) => song_id).sort()).toEqual([made[0]?.id, made[1]?.id].sort());
  for (const mark of marks) {
    expect(Object.keys(mark)).toEqual(["departure_id", "song_id", "recording"]);
  }
  await holds("departures", { userId: null });
  const text = JSON.stringify(left);
  const names = [user.id, user.displayName, musician, accountIdOf(musician)];
  expect(names.filter((name) => text.includes(name))).toEqual([]);
});

test("who comes back gets no songs until a day is over, and every screen says until when", async () => {
  await songs(10);
  const first = await logIn();
  expect(await first.offered()).toHaveLength(5);
  await first.deletes();
  const again = await logIn();
  const { leftAt } = await row("departures");
  const until = new Date(Math.ceil((leftAt + day) / 60_000) * 60_000);
  const time = `${until.toISOString().slice(11, 16)} UTC`;

  const carousel = await shows(again, "/", "Welcome back", time);
  expect(carousel).not.toContain('action="/songs/');
  expect(carousel).not.toMatch(/to rate before|You can submit a song now|E-mail me when/);
  await shows(again, "/?menu=addownsong", time);
  for (const [path, json] of [
    ["/submissions", { trackId: trackOf(musician).trackId }],
    ["/song-mail", { wanted: "true" }],
  ] as const) {
    await says(again.sends(path, json), 409, time);
  }
  await counts("packages", 0);
  // Another account is not concerned.
  expect(await (await logIn("casimir-zareba")).offered()).toHaveLength(5);
  await pass(day);
  expect(await again.offered()).toHaveLength(5);
});

test("deleting the account again and again gains neither a draw, nor a free submission, nor a mail", async () => {
  const answers: unknown[] = [];
  for (let account = 0; account < 4; account += 1) {
    const { submits, deletes } = await logIn();
    answers.push([await submits(account), (await rows("outbox")).length]);
    await deletes();
    await counts("songs", 0);
  }
  expect(answers).toEqual([[200, 1], ...Array(3).fill([409, 0])]);
  const { submits } = await logIn();
  await pass(day);
  expect([await submits(0), await submits(1)]).toEqual([200, 409]);
});

test("the batch of a submission refuses it too, whatever was read before", async () => {
  const who = await someone();
  const track = trackOf(musician);
  const spotify = {
    ...catalogue(track),
    async track(trackId: string) {
      const departure = { id: "d".repeat(43), user_id: who.id, left_at: Date.now() };
      await insert("departures", departure).run();
      return catalogue(track).track(trackId);
    },
  };
  const refused = await who.at(Date.now()).submits(track, { spotify });
  expect(refused).toMatchObject({ rejected: true, status: 409 });
  await counts("songs", 0);
});

test("the database draws no package while somebody is away", async () => {
  const drawn = (await songs(5)).map(({ id }) => ({ songId: id }));
  await (await logIn()).deletes();
  const { user, offered } = await logIn();
  const draw = async (drawnAt: number) => {
    const wanted = { userId: user.id, lastNumber: 0, drawn, drawnAt, hears: true, place: null };
    return (await runBatch(db, replacePackage(db, wanted))).standing;
  };
  expect(await draw(Date.now())).toEqual([]);
  expect(await offered()).toEqual([]);
  expect(await draw(Date.now() + day)).toHaveLength(5);
});

test("rated songs are not drawn for thirty days, and cannot be rated again", async () => {
  const made = await songs(10);
  const first = await logIn();
  const [one, two] = await first.offered();
  const rated = made.filter(({ id }) => id === one || id === two);
  for (const it of rated) expect(await rate(first.user, it)).toEqual({ ok: true });
  await first.deletes();
  const again = await logIn();
  await pass(29 * day);
  // Of ten songs each is drawn sooner or later, if it can be.
  const seen = new Set<string>();
  for (let draw = 0; draw < 8; draw += 1) {
    for (const id of await again.offered()) seen.add(id);
    await forgetPackages();
  }
  expect(rated.filter(({ id }) => seen.has(id))).toEqual([]);

  const [it] = rated as [Cast<typeof song>];
  await makePackage(again.user, [it]);
  const who = await listening(again.user, it);
  const refused = () => who.rates(it);
  const tables = ["ratings", "songs", "users", "activity_log", "outbox"];
  expect(await unchanged(refused, ...tables)).toMatchObject({ status: 409 });

  await pass(day);
  await purgeExpired(db, Date.now());
  expect([await rows("departures"), await rows("ratingMarks")]).toEqual([[], []]);
  expect(await who.rates(it)).toEqual({ ok: true });
  await counts("ratings", 3);
});

test("leaving again keeps the marks of both accounts, and the day begins anew", async () => {
  const made = await songs(10);
  for (const it of made.slice(0, 2)) {
    const { user, deletes } = await logIn();
    await pass(day);
    await rate(user, it);
    await deletes();
  }
  await counts("ratingMarks", 2);
  expect(await (await logIn()).offered()).toEqual([]);
});

test("two logins at once both wait, and a login during the deletion is no way around it", async () => {
  await songs(5);
  await (await logIn()).deletes();
  const together = [browser(), browser()];
  await Promise.all(together.map((it) => it.logsIn(musician)));
  for (const it of together) await hides(it, "/", 'action="/songs/');
  expect((await row("departures")).userId).not.toBeNull();

  await env.DB.prepare("DELETE FROM departures").run();
  await forgetPackages();
  for (let round = 0; round < 5; round += 1) {
    const { deletes } = await logIn();
    const logins = [browser().logsIn(musician), browser().logsIn(musician)];
    expect((await Promise.all([deletes(), ...logins]))[0]).toBe(200);
    expect(await (await logIn()).offered()).toEqual([]);
  }
  await counts("packages", 0);
});

test("a rating at the same moment as the deletion counts once", async () => {
  const it = await song();
  const { user, deletes } = await logIn();
  const who = await listening(user, it);
  await Promise.all([who.rates(it), deletes()]);
  await counts("ratingMarks", (await rows("ratings")).length);
  const again = await logIn();
  await pass(day);
  await makePackage(again.user, [it]);
  await rate(again.user, it);
  await counts("ratings", 1);
});

test("the account page and the privacy policy say what is kept, and what coming back means", async () => {
  const it = await logIn();
  await shows(
    ...([it, "/account"] as const),
    "you get no songs to rate and cannot submit any until that day is over",
  );
  await shows(
    ...([it, "/imprint"] as const),
    "under fingerprints of your Spotify account and your confirmed e-mail address",
  );
});
