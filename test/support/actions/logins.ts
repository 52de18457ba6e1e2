/** Logging in and out, and the tokens of a login. */
import { env } from "cloudflare:workers";
import { createDatabase } from "~/db/client.server";
import { endedLoginTexts } from "~/login/ended-login";
import { selectSessions, sessionViews } from "~/login/sessions.server";
import { unseal } from "~/platform/crypto.server";
import { readConfig } from "~/platform/env";
import {
  beginEmailLogin,
  codeFor,
  freeAddress,
  linkFor,
  pendingOf,
  typeCode,
} from "../../worker/session/email-login-flow";
import { beginLogin, cookieOf, decide, logIn } from "../../worker/session/login-flow";
import { makeUser } from "../database/factories";
import { type Answer, ask, type Caller, type Surroundings } from "../faults/run";
import { makeEmailMember, makeSession } from "../login";
import { request } from "../request";
import { type Action, asking, forMembers } from "./action";
import { firstRow, makeMember, makeRater } from "./world";

const { tokenKey } = readConfig(env);
const sessionCount = "SELECT count(*) AS sessions FROM sessions";
const connectedCount = "SELECT count(*) AS connected FROM sessions WHERE access_token IS NOT NULL";

async function logInAgain(musician: string, around: Surroundings, caller: Caller, cookie: string) {
  const login = await beginLogin(cookie);
  const callback = await decide(login, musician);
  return ask(around, callback.href, caller, { cookie: [login.cookie, cookie].join("; ") });
}

/** A login up to the browser's return from Spotify; `before` is the cookie of an earlier session. */
async function readyToLogIn(musician: string, before = "") {
  const login = await beginLogin(before);
  const { href } = await decide(login, musician);
  const cookie = [login.cookie, before].join("; ");
  let last: Answer | undefined;
  async function coming(answer: Promise<Answer>) {
    last = undefined;
    last = await answer;
    return last;
  }
  return {
    asked: { path: href, cookie },
    act: (around: Surroundings, caller: Caller) => coming(ask(around, href, caller, { cookie })),
    again: (around: Surroundings, caller: Caller) =>
      coming(logInAgain(musician, around, caller, before)),
    async state() {
      const users = await firstRow("SELECT count(*) AS users FROM users");
      return { ...users, loggedIn: last !== undefined && (await opens(sessionIn(last))) };
    },
    kept: tokensCanBeRead,
  };
}

/** A member who came by e-mail, up to the browser's return from Spotify. */
async function readyToConnect(musician: string) {
  const { cookie } = await makeEmailMember();
  async function consented() {
    const asked = await request("/account/spotify", { cookie, form: { next: "/account" } });
    const authorizeUrl = new URL(asked.headers.get("Location") ?? "");
    const login = { authorizeUrl, cookie: cookieOf(asked, "__Host-login") };
    const { href } = await decide(login, musician);
    return { href, cookies: [login.cookie, cookie].join("; ") };
  }
  const { href, cookies } = await consented();
  return {
    act: (around: Surroundings, caller: Caller) => ask(around, href, caller, { cookie: cookies }),
    async again(around: Surroundings, caller: Caller) {
      // Where the answer alone was lost, it is connected, and nothing is asked.
      const { connected } = await firstRow(connectedCount);
      if (connected) return ask(around, "/account/spotify", caller, { cookie, form: {} });
      const anew = await consented();
      return ask(around, anew.href, caller, { cookie: anew.cookies });
    },
    state: () =>
      firstRow(
        `SELECT (SELECT count(*) FROM users WHERE spotify_id IS NOT NULL) AS users, (${connectedCount}) AS connected`,
      ),
  };
}

function sessionIn(answer: Answer): string {
  const set = answer.headers.getSetCookie().find((one) => one.startsWith("__Host-session="));
  return set?.split(";")[0] ?? "";
}

async function opens(cookie: string): Promise<boolean> {
  return (await ask(env, "/player/token", "program", { cookie })).status === 200;
}

async function tokensCanBeRead(): Promise<boolean> {
  const { results } = await env.DB.prepare(
    "SELECT id, access_token, refresh_token FROM sessions",
  ).all<{ id: string; access_token: string; refresh_token: string }>();
  const tokens = await Promise.all(
    results.flatMap(({ id, access_token, refresh_token }) =>
      [access_token, refresh_token].map((sealed) => unseal(tokenKey, sealed, id)),
    ),
  );
  return tokens.every(Boolean);
}

async function token(musician: string, expiresIn: number, path = "/player/token") {
  const { cookie } = await makeMember(musician, { expiresIn });
  // Only the player requests it.
  const act = (around: Surroundings) => ask(around, path, "program", { cookie });
  return {
    act,
    asked: { path, cookie },
    async again(around: Surroundings) {
      // A renewal that died blocks the next one for 15 seconds.
      await env.DB.prepare("UPDATE sessions SET refresh_lease_until = 0").run();
      return act(around);
    },
    state: () => firstRow(sessionCount),
    shows: /"accessToken":"[^"]+"/,
    kept: tokensCanBeRead,
  };
}

/** A code that was verified for an address without an account. */
async function verifiedAddress(): Promise<string> {
  const address = freeAddress();
  const pending = await beginEmailLogin(address);
  return pendingOf(await typeCode(await codeFor(address), pending));
}

const emailLogins = "SELECT count(*) AS sessions FROM sessions WHERE way = 'email'";

export const loginActions: Action[] = [
  {
    name: "a request for a login's code",
    limit: "LIMIT_LOGIN",
    formsOn: ["/login/email"],
    status: 303,
    async prepare() {
      const form = { address: freeAddress() };
      const state = () =>
        firstRow(`SELECT count(*) > 0 AS codes, (SELECT count(*) FROM outbox)
                    = (SELECT count(*) FROM mailed_proofs) AS mailed FROM mailed_proofs`);
      return { ...asking("/login/email", { form }), state };
    },
    done: { codes: 1, mailed: 1 },
  },
  {
    name: "a login by a mailed code",
    limit: "LIMIT_LOGIN",
    formsOn: ["/login/code"],
    status: 303,
    async prepare() {
      const address = freeAddress();
      await makeUser({ ownEmail: address });
      const cookie = await beginEmailLogin(address);
      return asking("/login/code", { cookie, form: { code: await codeFor(address) } });
    },
  },
  {
    name: "a login by a mailed link",
    limit: "LIMIT_LOGIN",
    status: 303,
    async prepare() {
      const address = freeAddress();
      await makeUser({ ownEmail: address });
      await beginEmailLogin(address);
      return asking(await linkFor(address), { form: { x: "" } });
    },
  },
  {
    name: "the first login by a mailed code, which makes an account",
    limit: "LIMIT_LOGIN",
    formsOn: ["/login/name"],
    status: 303,
    answers: "page",
    async prepare() {
      const cookie = await verifiedAddress();
      const state = async () => ({
        ...(await firstRow("SELECT count(*) AS users FROM users")),
        ...(await firstRow(emailLogins)),
      });
      return { ...asking("/login/name", { cookie, form: { name: "Ada" } }), state };
    },
    done: { users: 1, sessions: 1 },
  },
  {
    name: "coming back from Spotify's consent page",
    limit: "LIMIT_LOGIN",
    method: "GET",
    status: 303,
    asksOutside: true,
    prepare: (musician) => readyToLogIn(musician),
    done: { users: 1, loggedIn: true },
  },
  {
    name: "coming back from Spotify's consent page with an earlier session",
    status: 303,
    asksOutside: true,
    async prepare(musician) {
      const before = cookieOf(await logIn(musician), "__Host-session");
      const ready = await readyToLogIn(musician, before);
      // The earlier session stays until there is another.
      const isThere = async () => Number((await firstRow(sessionCount)).sessions) > 0;
      return { ...ready, kept: async () => (await isThere()) && tokensCanBeRead() };
    },
    done: { users: 1, loggedIn: true },
  },
  {
    name: "coming back from Spotify's consent page to connect it",
    status: 303,
    asksOutside: true,
    prepare: readyToConnect,
    done: { users: 1, connected: 1 },
  },
  {
    name: "asking to connect Spotify",
    status: 303,
    ...forMembers("LIMIT_LOGIN"),
    formsOn: ["/account"],
    async prepare() {
      const { cookie } = await makeEmailMember();
      return asking("/account/spotify", { cookie, form: { next: "/account" } });
    },
  },
  {
    name: "asking for Spotify's permission to change playlists",
    status: 303,
    ...forMembers("LIMIT_LOGIN"),
    formsOn: ["/songs/:id/playlist"],
    async prepare(musician) {
      const { song, post } = await makeRater(musician);
      return { ...post("/playlists/permission", { next: "/rated" }), id: song.id };
    },
  },
  {
    name: "logging out",
    status: 303,
    async prepare(musician) {
      const { post } = await makeMember(musician);
      return { ...post("/logout"), state: () => firstRow(sessionCount) };
    },
    done: { sessions: 0 },
  },
  {
    name: "ending all sessions",
    ...forMembers("LIMIT_STRICT"),
    formsOn: ["/account"],
    async prepare(musician) {
      const { user, post } = await makeMember(musician);
      await makeSession(user, { musician });
      return { ...post("/account/sessions/end"), state: () => firstRow(sessionCount) };
    },
    done: { sessions: 0 },
    already: endedLoginTexts.otherwise,
  },
  {
    name: "ending another login",
    async prepare(musician) {
      const { user, session, post } = await makeMember(musician);
      await makeSession(user, { musician });
      const rows = await selectSessions(createDatabase(env.DB), user.id, Date.now());
      const other = (await sessionViews(rows, session.id)).find(({ current }) => !current);
      return post("/account/sessions/end", { session: other?.handle ?? "" });
    },
  },
  {
    name: "the player's token",
    limit: "LIMIT_NORMAL",
    refusedTo: { nobody: [401, endedLoginTexts.otherwise] },
    method: "GET",
    answers: "JSON",
    prepare: (musician) => token(musician, 3600),
    done: { sessions: 1 },
  },
  {
    name: "the player's token, renewed shortly before its expiry",
    asksOutside: true,
    answers: "JSON",
    prepare: (musician) => token(musician, 60),
    done: { sessions: 1 },
  },
  {
    name: "the player's token, renewed after its expiry",
    asksOutside: true,
    answers: "JSON",
    prepare: (musician) => token(musician, -10),
    done: { sessions: 1 },
  },
  {
    name: "the player's token, renewed because Spotify has refused it",
    limit: "LIMIT_STRICT",
    refusedTo: { nobody: [401, endedLoginTexts.otherwise] },
    method: "GET",
    asksOutside: true,
    answers: "JSON",
    prepare: (musician) => token(musician, 3600, "/player/token?refused"),
    done: { sessions: 1 },
  },
];
