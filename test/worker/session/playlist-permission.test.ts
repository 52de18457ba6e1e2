import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { forgetPlaylistGrant } from "~/login/sessions.server";
import { unseal } from "~/platform/crypto.server";
import { readConfig } from "~/platform/env";
import { SpotifyLoginEnded } from "~/sources/spotify/client/spotify";
import { extendLoginSession } from "~/sources/spotify/login/session.server";
import { spotifyToken, type TokenServices } from "~/sources/spotify/token.server";
import { accountIdOf } from "../../sandbox/catalogue";
import { counts, gives, holds, leads, led, pageOf, unchanged } from "../../support/answers";
import { change, db, row, rows } from "../../support/database/rows";
import { connectionOf } from "../../support/login";
import { someone } from "../../support/people";
import {
  type Browser,
  browser,
  browserOf,
  consentTo,
  isAtSpotify,
} from "../../support/people/logins";
import { control } from "../../support/sandbox";

const musician = "valdis-hrafnsey";
const stranger = "winona-larkspur";
const eight =
  "user-read-currently-playing user-read-playback-state user-modify-playback-state user-library-read user-library-modify streaming user-read-email user-read-private";
const three = "playlist-read-private playlist-modify-private playlist-modify-public";
const next = "/ratings-of-my-songs?song=s#song-s";
const declined = "/ratings-of-my-songs?song=s&permission=declined#song-s";
const config = readConfig(env);
const expired = "This request has expired";

/** The musician, logged in for a while, in a browser. */
async function member(options: { expiresIn?: number } = {}) {
  await control("reset", { musician });
  await control("revoke", { musician });
  const who = await someone({ musician, ...options });
  await isAtSpotify(who, musician);
  const it = await browserOf(who);
  return { ...it, who, ask: (to = next) => ask(it, { next: to }) };
}

/** Presses the button that asks for the permission. */
const ask = (it: Browser, form: Record<string, string>) =>
  it.goesToSpotify("/playlists/permission", form);

test("the permission is asked for besides the eight, through the session's own client, and only once by Spotify", async () => {
  const it = await member();
  for (const clientId of ["sandbox-client-a", "sandbox-client-b"]) {
    await change("sessions", {}, { clientId });
    const { state, ...rest } = Object.fromEntries((await it.ask()).searchParams);
    expect(state?.length).toBeGreaterThan(20);
    expect(rest).toEqual({
      ...{ client_id: clientId, response_type: "code", scope: `${eight} ${three}` },
      ...{ redirect_uri: `${env.APP_ORIGIN}/auth/spotify/callback`, show_dialog: "false" },
    });
  }
  const { searchParams } = await ask(it, { next, choose: "account" });
  expect(searchParams.get("show_dialog")).toBe("true");
});

test("asking for the permission, and leaving it, spoils no login in the same browser", async () => {
  const { ask, forget, ...it } = await member();
  await ask();
  forget("session");
  const consent = await it.goesToSpotify();
  expect(consent.searchParams.get("scope")).toBe(eight);
  await leads(it.consents(consent, stranger), "/");
  expect(it.isLoggedIn()).toBe(true);
});

test("the permission once given goes to the session that asked, which stays as it is", async () => {
  const it = await member();
  const before = await row("sessions");
  expect(before.mayAddToPlaylists).toBe(false);
  const cookie = it.cookie("session");
  // A page that had told of an earlier refusal tells of it no more.
  await leads(it.consents(await it.ask(declined), musician), next);
  expect([it.cookie("session"), it.cookie("login")]).toEqual([cookie, ""]);
  const { accessToken, refreshToken, tokenExpiresAt, ...kept } = before;
  const after = await row("sessions");
  expect(after).toMatchObject({ ...kept, mayAddToPlaylists: true });
  expect(after.accessToken).not.toBe(accessToken);
  expect(after.refreshToken).not.toBe(refreshToken);
  expect(await connectionOf(after.id)).toMatchObject({ mayAddToPlaylists: true });
  await counts("activityLog", 0);
  // The player goes on with the new token, which Spotify takes.
  const token = await (await it.gets("/player/token")).json<{ accessToken: string }>();
  const headers = { Authorization: `Bearer ${token.accessToken}` };
  const lists = `${env.SANDBOX_ORIGIN}/spotify/api/v1/me/playlists`;
  await gives(fetch(lists, { headers }), 200);
});

test.each([
  [next, declined],
  ["/", "/?permission=declined"],
  ["/?permission=declined", "/?permission=declined"],
])("the permission declined on %s changes nothing, and %s tells it", async (from, to) => {
  const it = await member();
  await unchanged(async () => {
    await leads(it.consents(await it.ask(from), musician, "deny"), to);
  });
});

test("another account's permission changes nothing, and leads to a page that lets one choose", async () => {
  const it = await member();
  const answer = await unchanged(async () => it.consents(await it.ask(), stranger));
  const page = await pageOf(answer, 403, "This is another Spotify account");
  expect(page).toContain("You are still logged in as before, and nothing was changed.");
  expect(page).toContain('action="/playlists/permission"');
  expect(page).toContain('name="choose" value="account"');
  expect(page).toContain(`href="${next}"`);
});

test("the permission leads to no page of another site, and is for members only", async () => {
  const it = await member();
  const consent = await it.ask("https://evil.example/");
  await leads(it.consents(consent, musician), "/");
  await leads(browser().posts("/playlists/permission", { next }), "/?ended");
  expect(led(await browser().gets("/playlists/permission"))[1]).toBe("/");
});

type Member = Awaited<ReturnType<typeof member>>;

/** What happens to the answer on its way back, and what is still in the page that refuses it. */
const refusals: [string, (it: Member, back: URL) => unknown, string][] = [
  ["is made up", (_it, back) => back.searchParams.set("code", "AQmadeup"), `href="${next}"`],
  ["has another state", (_it, back) => back.searchParams.set("state", "other"), `href="${next}"`],
  ["finds the login ended", (it) => it.twin().posts("/logout"), 'action="/login"'],
];
test.each(refusals)(
  "no permission is given by an answer that %s",
  async (_what, happens, shown) => {
    const it = await member();
    const back = await consentTo(await it.ask(), musician);
    await happens(it, back);
    await unchanged(async () => {
      expect(await pageOf(await it.gets(back.href), 400, expired)).toContain(shown);
    });
  },
);

test("the permission goes to no other browser, and to no other user's login", async () => {
  const it = await member();
  const back = await consentTo(await it.ask(), musician);
  const other = await browserOf(await someone({ musician: stranger }));
  const [session = "", login = ""] = it.cookies();
  await unchanged(async () => {
    const alone = browser({ cookies: [session] });
    await pageOf(await alone.gets(back.href), 400, "This login has expired");
    const theirs = browser({ cookies: [login, ...other.cookies()] });
    await pageOf(await theirs.gets(back.href), 400, expired);
  });
});

test.each([500, 429, 0])(
  "the permission is not given while Spotify fails with %i",
  async (status) => {
    const it = await member();
    await control("fail", { route: "POST /api/token", status, musician });
    const answer = await unchanged(async () => it.consents(await it.ask(), musician));
    expect(await pageOf(answer, 502, "Spotify did not answer")).toContain(`href="${next}"`);
  },
);

test("the permission goes once into the session, also if the browser comes back twice", async () => {
  const it = await member();
  const back = await consentTo(await it.ask(), musician);
  const answers = await Promise.all([it.gets(back.href), it.twin().gets(back.href)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 400]);
  await holds("sessions", { mayAddToPlaylists: true });
  await gives(it.gets("/player/token?refused"), 200);
});

test("the permission goes to the login that the browser has now, if that is the same user's", async () => {
  const it = await member();
  const consent = await it.ask();
  const back = await consentTo(consent, musician);
  const login = it.cookies()[1] ?? "";
  await it.logsIn(musician);
  const now = browser({ cookies: [...it.cookies(), login] });
  expect(led(await now.gets(back.href))[1]).toBe(next);
  await holds("sessions", {
    ...{ mayAddToPlaylists: true, clientId: consent.searchParams.get("client_id") },
  });
});

/** Spotify answers next with tokens of this scope. */
async function answersWith(scope: string | undefined): Promise<void> {
  const issued = await control("issueToken", { musician, scope: `${eight} ${three}` });
  const { access_token, refresh_token } = issued as Record<string, unknown>;
  const body = { access_token, refresh_token, expires_in: 3600, scope };
  await control("fail", { route: "POST /api/token", status: 200, body, musician });
}

test.each([
  ["names no permissions means all that were asked for", undefined, next],
  ...three
    .split(" ")
    .map((missing) => [
      `lacks ${missing} is none`,
      `${eight} ${three}`.replace(missing, "").trim(),
      declined,
    ]),
] as [string, string | undefined, string][])(
  "an answer of Spotify that %s",
  async (_, scope, to) => {
    const it = await member();
    const back = await consentTo(await it.ask(), musician);
    await answersWith(scope);
    expect(led(await it.gets(back.href))[1]).toBe(to);
    await holds("sessions", { mayAddToPlaylists: to === next });
  },
);

test("a login that is told of the permission has it, one that is not told has not", async () => {
  for (const [scope, mayAddToPlaylists] of [
    [`${eight} ${three}`, true],
    [eight, false],
    [undefined, false],
  ] as const) {
    await control("reset", { musician });
    await answersWith(scope);
    const it = browser();
    await it.logsIn(musician);
    await holds("sessions", { mayAddToPlaylists });
    await it.posts("/logout");
  }
});

/** Renews the token of a login. @returns whether it may add to playlists then. */
async function renewed(it: Browser, id: string) {
  await change("sessions", { id }, { tokenExpiresAt: Date.now() + 60_000 });
  await gives(it.gets("/player/token"), 200);
  return (await row("sessions", { id })).mayAddToPlaylists;
}

test("a renewal keeps the permission, also in an older login, and loses it with Spotify", async () => {
  const it = await member();
  const { id } = await row("sessions");
  const older = await browserOf(await someone({ user: it.who.user, musician }));
  const other = (await rows("sessions")).find((one) => one.id !== id)?.id ?? "";
  await it.consents(await it.ask(), musician);
  expect(await renewed(it, id)).toBe(true);
  expect(await renewed(older, other)).toBe(true);
  await control("withdraw", { musician, scope: three });
  // Spotify's answer names no permissions that are as they were when it answered last.
  const body = { access_token: "another", expires_in: 3600, scope: eight };
  await control("fail", { route: "POST /api/token", status: 200, body, musician });
  expect(await renewed(it, id)).toBe(false);
  expect(await renewed(it, id)).toBe(false);
});

/** Spotify's answers to a renewal that come too late. */
const late: [string, () => ReturnType<TokenServices["refresh"]>][] = [
  [
    "tokens of its own",
    async () => ({
      ...{ accessToken: "renewed", refreshToken: "rotated" },
      ...{ expiresIn: 3600, mayAddToPlaylists: false },
    }),
  ],
  ["the end of the old login", () => Promise.reject(new SpotifyLoginEnded())],
];
test.each(late)(
  "a renewal that ends with %s does not undo a permission given meanwhile",
  async (_, answer) => {
    const { who } = await member({ expiresIn: -10 });
    const { id } = await row("sessions");
    const permitted = { accessToken: "permitted", refreshToken: "permitted too", expiresIn: 3600 };
    const profile = { displayName: "T", imageUrl: null, email: null, hasPremium: null };
    const grant = { ...permitted, profile: { ...profile, id: accountIdOf(musician) } };
    const of = { id, userId: who.id, clientId: "sandbox-client-a", tokenKey: config.tokenKey };
    const refresh = async () => {
      const given = { ...grant, mayAddToPlaylists: true };
      expect(await extendLoginSession(db, given, { ...of, now: Date.now() })).toBe("extended");
      return answer();
    };
    const early = await connectionOf(id);
    const token = await spotifyToken({ db, config, now: Date.now, refresh }, early);
    expect(token.accessToken).toBe("permitted");
    const after = await row("sessions");
    expect(await unseal(config.tokenKey, after.refreshToken ?? "", id)).toBe("permitted too");
    expect(after.mayAddToPlaylists).toBe(true);
  },
);

test("a grant that Spotify no longer honours is forgotten, but not one given since", async () => {
  const it = await member();
  const { id } = await row("sessions");
  await it.consents(await it.ask(), musician);
  const early = await connectionOf(id);
  await it.consents(await it.ask(), musician);
  await forgetPlaylistGrant(db, early);
  await holds("sessions", { mayAddToPlaylists: true });
  await forgetPlaylistGrant(db, await connectionOf(id));
  await holds("sessions", { mayAddToPlaylists: false });
});
