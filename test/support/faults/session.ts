/** Scenarios of logging in and out, tokens, and pages that only read. */
import { env } from "cloudflare:workers";
import { unseal } from "~/platform/crypto.server";
import { readConfig } from "~/platform/env";
import { beginLogin, cookieOf, decide, logIn } from "../../worker/session/login-flow";
import { trackOf } from "../catalogue";
import { freePrice, makeRating, makeSong, makeUser, type TestUser } from "../database/factories";
import { makeSession } from "../login";
import { control } from "../sandbox";
import { firstRow } from "./check";
import { type Answer, ask, type Caller, type Surroundings } from "./run";
import type { Scenario } from "./scenario";

const { tokenKey } = readConfig(env);
const twoHoursMs = 2 * 60 * 60 * 1000;

/** Logs in from the beginning, as somebody does after a failed login. */
async function logInAgain(musician: string, around: Surroundings, caller: Caller, cookie = "") {
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

function sessionIn(answer: Answer): string {
  const set = answer.headers.getSetCookie().find((one) => one.startsWith("__Host-session="));
  return set?.split(";")[0] ?? "";
}

/** Whether a session's cookie is still a valid login. */
async function opens(cookie: string): Promise<boolean> {
  return (await ask(env, "/player/token", "program", { cookie })).status === 200;
}

/** Whether the tokens of all sessions can be decrypted; a session without tokens is useless. */
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

/** A page loaded after two hours without activity, which counts as another visit. */
async function visiting(musician: string, path: string, user?: TestUser) {
  const viewer = user ?? (await makeUser());
  const lastSeenAt = Date.now() - twoHoursMs;
  const { cookie } = await makeSession(viewer, { musician, lastSeenAt });
  const askFor = (around: Surroundings, caller: Caller, where: string) =>
    ask(around, where, caller, { cookie });
  return {
    askFor,
    act: (around: Surroundings, caller: Caller) => askFor(around, caller, path),
    state: () => firstRow("SELECT visit FROM users WHERE id IN (SELECT user_id FROM sessions)"),
  };
}

async function token(musician: string, expiresIn: number, path = "/player/token") {
  await control("reset", { musician });
  const { cookie } = await makeSession(await makeUser(), { musician, expiresIn });
  // Only the player requests it.
  const act = (around: Surroundings) => ask(around, path, "program", { cookie });
  return {
    act,
    async again(around: Surroundings) {
      // A renewal that died blocks the next one for 15 seconds.
      await env.DB.prepare("UPDATE sessions SET refresh_lease_until = 0").run();
      return act(around);
    },
    state: () => firstRow("SELECT count(*) AS sessions FROM sessions"),
    shows: /"accessToken":"[^"]+"/,
    kept: tokensCanBeRead,
  };
}

export const sessionScenarios: Scenario[] = [
  {
    name: "coming back from Spotify's consent page",
    asksOutside: true,
    prepare: (musician) => readyToLogIn(musician),
    done: { users: 1, loggedIn: true },
  },
  {
    name: "coming back from Spotify's consent page with an earlier session",
    asksOutside: true,
    async prepare(musician) {
      const before = cookieOf(await logIn(musician), "__Host-session");
      const ready = await readyToLogIn(musician, before);
      // The earlier session stays until there is another.
      return { ...ready, kept: async () => (await countSessions()) > 0 && tokensCanBeRead() };
    },
    done: { users: 1, loggedIn: true },
  },
  {
    name: "logging out",
    async prepare(musician) {
      const { cookie } = await makeSession(await makeUser(), { musician });
      return {
        act: (around, caller) => ask(around, "/logout", caller, { cookie, form: {} }),
        state: () => firstRow("SELECT count(*) AS sessions FROM sessions"),
      };
    },
    done: { sessions: 0 },
  },
  {
    name: "the carousel, which draws a package",
    answers: "page",
    async prepare(musician) {
      const { title } = await makeSong(await makeUser(), trackOf("eino-kallas", 4));
      return {
        ...(await visiting(musician, "/")),
        state: () =>
          firstRow(`SELECT (SELECT visit FROM users WHERE id IN (SELECT user_id FROM sessions)) AS visit,
                      (SELECT count(*) FROM packages) AS packages,
                      (SELECT count(*) FROM package_songs) AS songs`),
        shows: new RegExp(title),
      };
    },
    done: { visit: 2, packages: 1, songs: 1 },
  },
  {
    name: "the ratings page",
    answers: "page",
    async prepare(musician) {
      const owner = await makeUser();
      const song = await makeSong(owner);
      await makeRating(await makeUser(), song);
      return { ...(await visiting(musician, "/ratings-of-my-songs", owner)), shows: /Great Song/ };
    },
    done: { visit: 2 },
  },
  {
    name: "the account page",
    answers: "page",
    async prepare(musician) {
      const user = await makeUser();
      const page = await visiting(musician, "/account", user);
      return { ...page, shows: new RegExp(`${user.id}@musicians\\.example`) };
    },
    done: { visit: 1 },
  },
  {
    name: "searching for a song to add",
    asksOutside: true,
    answers: "page",
    async prepare(musician) {
      await control("reset", { musician });
      const page = await visiting(
        musician,
        "/?menu=addownsong&q=mara",
        await makeUser({ credits: freePrice }),
      );
      return {
        ...page,
        // Responses are cached for some seconds, even one without a readable song.
        again: (around, caller) => page.askFor(around, caller, "/?menu=addownsong&q=mara+lind"),
        shows: /Mara Lind/,
        without: /Spotify could not be searched right now|No songs found/,
      };
    },
    done: { visit: 2 },
  },
  {
    name: "the premium page",
    answers: "page",
    prepare: async (musician) => ({
      ...(await visiting(musician, "/subscribe")),
      shows: /Fivefold Premium/,
    }),
    done: { visit: 1 },
  },
  {
    name: "the player's token",
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
    asksOutside: true,
    answers: "JSON",
    prepare: (musician) => token(musician, 3600, "/player/token?refused"),
    done: { sessions: 1 },
  },
];

async function countSessions(): Promise<number> {
  return Number((await firstRow("SELECT count(*) AS sessions FROM sessions")).sessions);
}
