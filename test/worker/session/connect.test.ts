import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { unseal } from "~/platform/crypto.server";
import { readConfig } from "~/platform/env";
import { accountIdOf } from "../../sandbox/catalogue";
import {
  counts,
  gives,
  hides,
  holds,
  leads,
  pageOf,
  tells,
  unchanged,
} from "../../support/answers";
import { emptyDatabase } from "../../support/database/contents";
import { insert, makePackage, makeSong, makeUser } from "../../support/database/factories";
import { change, row, rows } from "../../support/database/rows";
import { someone } from "../../support/people";
import {
  type Browser,
  browser,
  browserOf,
  byAddress,
  consentTo,
  isAtSpotify,
  loggedInAgo,
  withoutSpotify,
} from "../../support/people/logins";
import { control } from "../../support/sandbox";

const musician = "casimir-zareba";
const stranger = "winona-larkspur";
const hour = 60 * 60 * 1000;
const path = "/account/spotify";
const next = "/ratings-of-my-songs";

beforeEach(() => control("reset", { musician }));

/** Somebody who has an address alone, in a browser. */
async function member(options: Parameters<typeof byAddress>[0] = {}) {
  const who = await byAddress(options);
  return { who, it: await browserOf(who) };
}

const ask = (it: Browser) => it.goesToSpotify(path, { next });

/** Presses Connect Spotify and agrees. */
async function connect(it: Browser) {
  return it.consents(await ask(it), musician);
}

test("connecting Spotify gives account and session what a login would, and makes the login no younger", async () => {
  const { who, it } = await member();
  await loggedInAgo(who, hour / 2);
  const [before, session] = [await who.now(), await row("sessions")];
  const consent = await ask(it);
  expect(consent.searchParams.get("show_dialog")).toBe("true");
  expect(consent.searchParams.get("scope")?.split(" ")).toHaveLength(8);
  const cookie = it.cookie("session");
  await leads(it.consents(consent, musician), next);
  expect(it.cookie("session")).toBe(cookie);
  expect(await who.now()).toEqual({
    ...{ ...before, spotifyId: accountIdOf(musician), ownName: true },
    ...{ email: expect.stringContaining("@"), imageUrl: expect.anything() },
    spotifyName: expect.any(String),
    ...{ hearsSpotifyUntil: expect.any(Number), updatedAt: expect.any(Number) },
  });
  const { id, createdAt, expiresAt } = session;
  const now = await row("sessions");
  const kept = { id, createdAt, expiresAt, way: "email", hasSpotifyPremium: true };
  expect(now).toMatchObject(kept);
  expect(await unseal(readConfig(env).tokenKey, now.accessToken ?? "", id)).not.toBeNull();
  await gives(it.gets("/player/token"), 200);
});

test("connecting Spotify keeps the name that the member chose, also at later logins with Spotify", async () => {
  const { who, it } = await member({ displayName: "Chosen Name" });
  await connect(it);
  await leads(browser().logsIn(musician), "/");
  await holds("users", { id: who.id, displayName: "Chosen Name" });
  // Without a name of one's own it is Spotify's.
  await browser().logsIn(stranger);
  const theirs = await row("users", { spotifyId: accountIdOf(stranger) });
  expect(theirs).toMatchObject({ displayName: "Winona Larkspur" });
});

test("connecting Spotify needs a fresh login where the account has no Spotify yet, and none where it has", async () => {
  const { who, it } = await member();
  await loggedInAgo(who, 2 * hour);
  await unchanged(async () => {
    const again = encodeURIComponent("/account?again=spotify#ways");
    await leads(it.posts(path, { next }), `/login/email?next=${again}`);

    const error = "Log in again first";
    await tells(it.sends(path, { next }), 401, { error, loginAgain: true });
  });
  await isAtSpotify(who, musician);
  await leads(connect(it), next);
  await gives(it.gets("/player/token"), 200);
  // A session that is connected is asked nothing.
  await leads(it.posts(path, { next }), next);
});

test("connecting Spotify that is declined changes nothing, says so and leads back", async () => {
  const { it } = await member();
  const answer = await unchanged(async () => it.consents(await ask(it), musician, "deny"));
  const page = await pageOf(answer, 200, "Spotify is not connected");
  expect(page).toContain("nothing was changed");
  expect(page).toContain(`<a class="button" href="${next}">`);
});

test("connecting Spotify is nowhere offered or possible without an app at Spotify", async () => {
  const it = await browserOf(await byAddress(), { bindings: withoutSpotify });
  await hides(it, "/account", path);
  await gives(it.posts(path, { next }), 404);
});

test("connecting Spotify leads to pages of this site alone", async () => {
  const { it } = await member();
  const consent = await it.goesToSpotify(path, { next: "https://evil.example/" });
  await leads(it.consents(consent, musician), "/");
});

test.each([
  ["belongs to another account", "This Spotify account has an account here already", musician],
  ["is not the account's own", "This is another Spotify account", stranger],
])("a Spotify account that %s is not connected, and nothing changes", async (_, title, theirs) => {
  const owner = await someone({ way: "email" });
  await isAtSpotify(owner, theirs);
  const it = theirs === musician ? (await member()).it : await browserOf(owner);
  const page = await pageOf(await unchanged(() => connect(it)), 403, title);
  if (theirs === musician) expect(page).toContain("log in with Spotify");
});

test.each(["somebody else is logged in", "nobody is logged in", "the account is gone"])(
  "Spotify is not connected, and nothing changes, where by then %s",
  async (what) => {
    const { who, it } = await member();
    const other = await member();
    const back = await consentTo(await ask(it), musician);
    if (what.startsWith("some")) it.keeps(...other.it.cookies());
    if (what.startsWith("nobody")) it.forget("session");
    if (what.endsWith("gone")) await who.leaves();
    await unchanged(async () => {
      await pageOf(await it.gets(back.href), 400, "This request has expired");
    });
  },
);

test("nobody can connect their own Spotify to another's account, by an answer in another's browser", async () => {
  const [attacker, victim] = [await member(), await member()];
  const back = await consentTo(await ask(attacker.it), musician);
  await unchanged(async () => {
    await gives(victim.it.gets(back.href), 400);
    await ask(victim.it);
    await gives(victim.it.gets(back.href), 400);
  });
});

test("of two accounts that connect one Spotify account at once, one does", async () => {
  for (let round = 0; round < 4; round += 1) {
    const members = [await member(), await member()];
    const answers = await Promise.all(members.map(({ it }) => connect(it)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 403]);
    await counts("users", 1, { spotifyId: null });
    await emptyDatabase();
  }
});

test("two presses at once connect once, to both logins", async () => {
  const { who, it } = await member();
  const other = await browserOf(await someone({ user: who.user, way: "email" }));
  const answers = await Promise.all([it, other].map(connect));
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  await counts("sessions", 0, { accessToken: null });
});

test("connecting and logging in with one Spotify account at once leave it one account", async () => {
  for (let round = 0; round < 4; round += 1) {
    const { who, it } = await member();
    const [connected, login] = await Promise.all([connect(it), browser().logsIn(musician)]);
    expect(login.status).toBe(303);
    const { id } = await row("users", { spotifyId: accountIdOf(musician) });
    expect(connected.status).toBe(id === who.id ? 303 : 403);
    await emptyDatabase();
  }
});

/** The musician had an account here, and has deleted it. */
async function leave(): Promise<void> {
  const it = browser();
  await it.logsIn(musician);
  await gives(it.sends("/account/delete"), 200);
}

test.each([
  ["within a day gets no songs", 0],
  ["a day ago keeps the songs drawn", 24 * hour],
])("who deleted that Spotify account's account %s after connecting it", async (_, ago) => {
  await leave();
  const { leftAt } = await row("departures");
  await change("departures", {}, { leftAt: leftAt - ago });
  const { who, it } = await member();
  await makePackage(who, [await makeSong(await makeUser())]);
  await connect(it);
  await counts("packages", ago ? 1 : 0);
  const page = await it.reads("/");
  expect([page.includes("Welcome back"), page.includes('action="/songs/')]).toEqual([!ago, !!ago]);
});

test("who deleted that Spotify account's account with a lock is locked after connecting it, by both ways in", async () => {
  await browser().logsIn(musician);
  const lock = { id: "l".repeat(43), user_id: (await row("users")).id, locked_at: 1 };
  await insert("submission_locks", { ...lock, reason: "Noise." }).run();
  await leave();
  const { who, it } = await member();
  await connect(it);
  const reasons = (await rows("submissionLocks", { userId: who.id })).map(({ reason }) => reason);
  expect(reasons).toEqual(["Noise.", "Noise."]);
});
