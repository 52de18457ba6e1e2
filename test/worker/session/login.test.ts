import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { accountIdOf } from "../../sandbox/catalogue";
import { counts, gives, hides, holds, leads, led, pageOf, shows } from "../../support/answers";
import { makeUser } from "../../support/database/factories";
import { change, row, rows } from "../../support/database/rows";
import { someone } from "../../support/people";
import {
  type Browser,
  browser,
  browserOf,
  consentTo,
  isAtSpotify,
} from "../../support/people/logins";
import { dataOf } from "../../support/request";
import { control, sandboxRequests } from "../../support/sandbox";
import { freeAddress } from "./email-login-flow";
import { setCookieOf } from "./login-flow";

const musician = "mara-lind";
/** What leads on from the page that says what happened. */
const loginForm = '<form class="login" method="post" action="/login">';

test("the login button leads to Spotify's consent page with all parameters of the authorization", async () => {
  const response = await browser().posts("/login");
  expect(setCookieOf(response, "__Host-login")).toContain("; Max-Age=600;");
  const url = new URL(led(response)[1] ?? "");
  expect(url.origin + url.pathname).toBe(`${env.SANDBOX_ORIGIN}/spotify/accounts/authorize`);
  const { client_id, state, ...rest } = Object.fromEntries(url.searchParams);
  expect(client_id).toMatch(/^sandbox-client-[ab]$/);
  expect(state?.length).toBeGreaterThan(20);
  expect(rest).toEqual({
    response_type: "code",
    redirect_uri: `${env.APP_ORIGIN}/auth/spotify/callback`,
    show_dialog: "true",
    scope:
      "user-read-currently-playing user-read-playback-state user-modify-playback-state user-library-read user-library-modify streaming user-read-email user-read-private",
  });
});

test("a login uses one of the two clients at random, records it, and has a state of its own", async () => {
  const clients = new Set<string | null>();
  const states = new Set<string | null>();
  for (let draw = 1; draw <= 64 && clients.size < 2; draw += 1) {
    const it = browser();
    const consent = await it.goesToSpotify();
    const client = consent.searchParams.get("client_id");
    states.add(consent.searchParams.get("state"));
    expect(states.size).toBe(draw);
    if (clients.has(client)) continue;
    clients.add(client);
    await gives(it.consents(consent, musician), 303);
    await counts("sessions", 1, { clientId: client ?? "" });
  }
  expect([...clients].sort()).toEqual(["sandbox-client-a", "sandbox-client-b"]);
});

test.each([
  ["/ratings-of-my-songs?song=s#song-s", "/ratings-of-my-songs?song=s#song-s"],
  ["/account", "/account"],
  ["https://evil.example/account", "/"],
  ["//evil.example/account", "/"],
  ["/logout", "/"],
])("a login that begins at %s ends at %s", async (next, where) => {
  const it = browser();
  const consent = await it.goesToSpotify("/login", { next });
  await leads(it.consents(consent, musician), where);
});

test("a login ends on the carousel, with the musician's name, a session's cookie and one line in the log", async () => {
  const it = browser();
  await leads(it.logsIn(musician), "/");
  expect([it.isLoggedIn(), it.cookie("login")]).toEqual([true, ""]);
  await shows(it, "/", "Mara Lind");
  await holds("activityLog", { kind: "login", songId: null });
});

test("a login leaves nothing in the database that would give access to the account or the session", async () => {
  const it = browser();
  await it.logsIn("bram-oosterhagen");
  const answers = (await sandboxRequests("bram-oosterhagen")).filter(
    ({ path }) => path === "/api/token",
  );
  const tokens = JSON.stringify(answers).match(/(?<=_token":")[^"]{40,}/g) ?? [];
  expect(tokens).toHaveLength(2);
  const [payload = "", signature = ""] = decodeURIComponent(it.cookie("session")).split(".");
  const token: unknown = JSON.parse(atob(payload));
  expect(token).toMatch(/^[\w-]{43}$/);
  const session = await row("sessions");
  const sealed = expect.stringMatching(/^[\w-]{60,}$/);
  expect(session).toMatchObject({ accessToken: sealed, refreshToken: sealed });
  const stored = JSON.stringify([session, await rows("users")]);
  for (const secret of [...tokens, String(token), payload, signature]) {
    expect(stored).not.toContain(secret.slice(0, 24));
  }
});

test("a first login stores the profile, and later ones update it and make no second user", async () => {
  const old = await makeUser({ displayName: "An older name", email: "old@musicians.example" });
  await isAtSpotify(old, "ilse-kornblatt");
  const before = await row("users");
  for (const name of ["ilse-kornblatt", "ilse-kornblatt", "kaito-morinaga"]) {
    await browser().logsIn(name);
  }
  await holds(
    "users",
    {
      ...{ displayName: "Ilse Kornblatt", email: "ilse-kornblatt@musicians.example" },
      ...{ createdAt: before.createdAt, imageUrl: expect.stringMatching(/^http/) },
    },
    { id: old.id },
  );
  await holds(
    "users",
    {
      ...{ displayName: "Kaito Morinaga", email: "kaito-morinaga@musicians.example" },
      ...{ credits: 0, ratedCount: 0, submittedCount: 0 },
    },
    { spotifyId: accountIdOf("kaito-morinaga") },
  );
  expect([(await rows("users")).length, (await rows("sessions")).length]).toEqual([2, 3]);
});

test("a login takes no picture that the pages would not show", async () => {
  const images = [{ url: "https://platform-lookaside.fbsbx.com/platform/profilepic/" }];
  const body = { id: musician, account_id: accountIdOf(musician), images };
  await browser().logsIn(musician);
  await holds("users", { imageUrl: expect.stringMatching(/^http/) });
  await control("fail", { route: "GET /v1/me", status: 200, body, musician });
  await browser().logsIn(musician);
  await holds("users", { imageUrl: null });
});

test("a login keeps the address that is known if Spotify's profile has none", async () => {
  await isAtSpotify(await makeUser({ email: "known@musicians.example" }), "demo-noemail");
  await browser().logsIn("demo-noemail");
  await holds("users", { email: "known@musicians.example" });
});

test("a login by a logged-in user ends the previous session and opens another", async () => {
  const it = browser();
  await it.logsIn(musician);
  const [before, { id }] = [it.twin(), await row("sessions")];
  await it.logsIn(musician);
  expect((await row("sessions")).id).not.toBe(id);
  await gives(before.gets("/player/token"), 401);
  await gives(it.gets("/player/token"), 200);
});

/** Fails unless a page says what happened and has a way on, and nobody is logged in. */
async function expectFailure(
  response: Response,
  status: number,
  title: string,
  { wayOn = loginForm as string | RegExp, cookie = /Expires=Thu, 01 Jan 1970|Max-Age=0/ } = {},
) {
  const page = await pageOf(response, status, title);
  expect(response.headers.get("Content-Type")).toContain("text/html");
  expect(page).toMatch(wayOn);
  const policy = response.headers.get("Content-Security-Policy");
  expect(policy).toMatch(new RegExp(`form-action 'self' ${env.SANDBOX_ORIGIN};`));
  expect(setCookieOf(response, "__Host-login")).toMatch(cookie);
  expect(page).not.toMatch(/Error \d|SpotifyError|at \w+ \(|Ordered failure|invalid_grant/);
  expect(setCookieOf(response, "__Host-session")).toBe("");
  expect([await rows("sessions"), await rows("users")]).toEqual([[], []]);
}

const expired = "This login has expired";

test("a login that the musician declines leads back to the landing page, which says so", async () => {
  const it = browser();
  const consent = await it.goesToSpotify();
  await leads(it.consents(consent, musician, "deny"), "/?declined");
  expect([it.cookie("login"), it.isLoggedIn()]).toEqual(["", false]);
  const declined = "You chose not to log in, so nothing was stored.";
  await shows(it, "/?declined", declined);
  await hides(it, "/", declined);
});

test("a login that fails and is tried again leads where the first one was to lead", async () => {
  await control("fail", { route: "GET /v1/me", status: 500, musician });
  const it = browser();
  const response = await it.consents(
    await it.goesToSpotify("/login", { next: "/account" }),
    musician,
  );
  expect(await response.text()).toContain('<input type="hidden" name="next" value="/account"/>');
});

/** What is wrong when a browser comes back, and whether the login under way goes on. */
const wrong: [string, (back: URL, it: Browser) => Browser | undefined, boolean][] = [
  ["has another state", (back) => void back.searchParams.set("state", "x".repeat(43)), true],
  ["has no state", (back) => void back.searchParams.delete("state"), true],
  ["has no code", (back) => void back.searchParams.delete("code"), false],
  ["comes to another browser", () => browser(), false],
  [
    "finds an altered cookie",
    (_back, it) => altered(it, /=(.)/, (_, first) => `=${first === "e" ? "f" : "e"}`),
    false,
  ],
  [
    "finds a cookie without its signature",
    (_back, it) => altered(it, /\..*/, () => ".no-signature-at-all"),
    false,
  ],
];
function altered(it: Browser, part: RegExp, by: (whole: string, first: string) => string) {
  return browser({ cookies: it.cookies().map((cookie) => cookie.replace(part, by)) });
}
test.each(wrong)("an answer of Spotify that %s opens no session", async (_what, change, goesOn) => {
  const it = browser();
  const back = await consentTo(await it.goesToSpotify(), musician);
  const response = await (change(back, it) ?? it).gets(back.href);
  await expectFailure(response, 400, expired, goesOn ? { cookie: /Max-Age=600/ } : {});
});

test.each(["?error=access_denied", "?error=access_denied&state=x", "?code=x&state=x"])(
  "an answer that another site makes up (%s) leaves the login under way as it is",
  async (query) => {
    const it = browser();
    const consent = await it.goesToSpotify();
    const callback = consent.searchParams.get("redirect_uri") ?? "";
    await gives(it.gets(new URL(query, callback).href), 400);
    await it.consents(consent, "demo-new");
    expect(it.isLoggedIn()).toBe(true);
  },
);

test("an answer that comes twice opens no second session, with the first cookie or without", async () => {
  const it = browser();
  const back = await consentTo(await it.goesToSpotify(), musician);
  const before = it.twin();
  await gives(it.gets(back.href), 303);
  for (const again of [await browser().gets(back.href), await before.gets(back.href)]) {
    expect(again.status).toBeGreaterThanOrEqual(400);
    expect(again.headers.get("Content-Type")).toContain("text/html");
    expect(setCookieOf(again, "__Host-session")).toBe("");
  }
  await counts("sessions", 1);
});

test.each([
  ["its token endpoint fails", "POST /api/token", 500],
  ["its token endpoint cuts the connection", "POST /api/token", 0],
  ["its token endpoint is at its rate limit", "POST /api/token", 429],
  ["its profile fails", "GET /v1/me", 500],
  ["its profile cuts the connection", "GET /v1/me", 0],
  ["its profile is unreadable", "GET /v1/me", 200, "<!DOCTYPE html>"],
])(
  "a login while Spotify is down (%s) asks to try again",
  async (_, route, status, body?: string) => {
    await control("fail", { route, status, body, musician: "petra-wolkenstein" });
    const response = await browser().logsIn("petra-wolkenstein");
    await expectFailure(response, 502, "Spotify did not complete the login");
  },
);

test("a musician who is not on the app's user list is told so, although Spotify's error is plain text", async () => {
  const response = await browser().logsIn("demo-unlisted");
  const profile = (await sandboxRequests("demo-unlisted")).find(({ path }) => path === "/v1/me");
  expect(profile).toMatchObject({ status: 403, responseBody: expect.any(String) });
  const wayOn = /<a class="button" href="mailto:[^"@]+@[^"@]+\?subject=/;
  await expectFailure(response, 403, "Spotify does not let you in yet", { wayOn });
});

test("a login that fails does not affect a session that was open before", async () => {
  const it = browser();
  await it.logsIn(musician);
  const session = it.twin();
  await it.consents(await it.goesToSpotify(), musician, "deny");
  await gives(it.gets("/player/token"), 200);
  const back = await consentTo(await it.goesToSpotify(), musician);
  const page = await (await session.gets(back.href)).text();
  expect(page).toContain("You are still logged in as before");
  expect(page).not.toContain(loginForm);
});

/** The cookies that answers have set, as name and attributes. */
function cookiesIn(answers: Response[]): [name: string, attributes: string[]][] {
  return answers
    .flatMap(({ headers }) => headers.getSetCookie())
    .map((header) => {
      const [pair = "", ...attributes] = header.split("; ");
      return [pair.split("=")[0] ?? "", attributes.map((one) => one.toLowerCase()).sort()];
    });
}

test("no script reads a cookie, no other host and no plain connection gets one, another site sends none along", async () => {
  const it = browser();
  const byMail = browser();
  const cookies = cookiesIn([
    await it.posts("/login"),
    await it.logsIn("ayla-demirkan"),
    await it.posts("/email-preference", { receiveRatingEmails: "" }),
    await (await browserOf(await someone())).gets("/"),
    await it.posts("/logout"),
    await byMail.asksForCode(freeAddress()),
    await byMail.types(),
    await byMail.givesName("Ada"),
  ]);
  const names = new Set(cookies.map(([name]) => name));
  const all = ["bookmark", "email-login", "known", "login", "session"];
  expect([...names].sort()).toEqual(all.map((name) => `__Host-${name}`));
  for (const [name, attributes] of cookies) {
    const lasting = attributes.filter((one) => !/^(max-age|expires)=/.test(one));
    expect([name, lasting]).toEqual([name, ["httponly", "path=/", "samesite=lax", "secure"]]);
  }
});

/** Whoever has no Spotify Premium learns it on the carousel, where Spotify says so at the login. */
const noPremium =
  "Songs from Spotify play here only with Spotify Premium, which your account there does not have.";

/** Whether the carousel says it, as a page and as data. */
async function isTold(it: Browser): Promise<boolean> {
  const isInPage = (await it.reads("/")).includes(`>${noPremium}<`);
  expect((await it.reads(dataOf("/"))).includes(noPremium)).toBe(isInPage);
  return isInPage;
}

test("what Spotify says of the account at the login counts, and nothing where it says nothing", async () => {
  const it = browser();
  await it.logsIn("demo-free");
  expect(await isTold(it)).toBe(false);
  await it.logsIn("demo-nopremium");
  expect(await isTold(it)).toBe(true);
  // As after a login through a new app, which is not told.
  await change("sessions", {}, { hasSpotifyPremium: null });
  expect(await isTold(it)).toBe(false);
});
