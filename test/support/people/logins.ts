/** How people log in: browsers that keep their cookies, codes that are mailed, and Spotify's consent page. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { codeOf, linkToken } from "~/login/login-code.server";
import { confirmationToken } from "~/mailing/address.server";
import { readConfig } from "~/platform/env";
import { accountIdOf } from "../../sandbox/catalogue";
import { freeAddress } from "../../worker/session/email-login-flow";
import { decide } from "../../worker/session/login-flow";
import { led } from "../answers";
import { makeUser } from "../database/factories";
import { change, row } from "../database/rows";
import { type Someone, someone } from "../people";
import { request } from "../request";

const { sessionSecret: secret } = readConfig(env);
const pending = "__Host-email-login";

/** The Worker where nobody can log in with Spotify. */
export const withoutSpotify = {
  ...env,
  ...{ SPOTIFY_CLIENT_ID: "", SPOTIFY_CLIENT_SECRET: "" },
  ...{ SPOTIFY_CLIENT_ID_2: "", SPOTIFY_CLIENT_SECRET_2: "" },
};

type Asked = Parameters<typeof request>[1];
export type Browser = ReturnType<typeof browser>;

interface BrowserOptions {
  /** Its network address. */
  from?: string;
  bindings?: object;
  cookies?: string[];
  /** The code that it has asked for. */
  code?: string;
}

/** A browser that keeps its cookies. */
export function browser({ from, bindings, cookies = [], code = "" }: BrowserOptions = {}) {
  const kept = new Map<string, string>();
  function keep(header: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
    if (value) kept.set(name, value);
    else kept.delete(name);
  }
  cookies.forEach(keep);
  let codeId = code;

  const it = {
    cookies: () => [...kept].map(([name, value]) => `${name}=${value}`),
    cookie: (name: string) => kept.get(`__Host-${name}`) ?? "",
    keeps: (...given: string[]) => given.forEach(keep),
    forget: (name: string) => kept.delete(`__Host-${name}`),
    isLoggedIn: () => kept.has("__Host-session"),
    /** Another with what this one has by now. */
    twin: () => browser({ cookies: it.cookies(), code: codeId, ...(from && { from }) }),

    async gets(path: string, asked: Asked = {}) {
      const headers = { ...(from && { "CF-Connecting-IP": from }), ...asked.headers };
      const cookie = it.cookies().join("; ");
      const answer = await request(path, {
        cookie,
        ...(bindings && { bindings }),
        ...asked,
        headers,
      });
      answer.headers.getSetCookie().forEach(keep);
      return answer;
    },
    /** A page's text as a reader has it, without React's marks between texts. */
    async reads(path: string): Promise<string> {
      return (await (await it.gets(path)).text()).replaceAll("<!-- -->", "");
    },
    posts: (path: string, form: Record<string, string> = {}, asked: Asked = {}) =>
      it.gets(path, { form, ...asked }),
    sends: (path: string, json: Record<string, unknown> = {}, asked: Asked = {}) =>
      it.gets(path, { json, ...asked }),

    async asksForCode(address: string, next?: string) {
      const answer = await it.posts("/login/email", { address, ...(next && { next }) });
      const [payload = ""] = decodeURIComponent(kept.get(pending) ?? "").split(".");
      if (answer.status === 303) codeId = (JSON.parse(atob(payload)) as { code: string }).code;
      return answer;
    },
    code: () => codeOf(secret, codeId),
    link: async () => `/login/link?token=${await linkToken(secret, codeId)}`,
    /** So many codes that differ from the right one. */
    async wrongCodes(count: number): Promise<string[]> {
      const right = Number(await it.code());
      return Array.from({ length: count }, (_, n) =>
        String((right + 1 + n) % 1_000_000).padStart(6, "0"),
      );
    },
    async types(typed?: string) {
      return it.posts("/login/code", { code: typed ?? (await it.code()) });
    },
    /** Whether the code is taken. */
    async comesIn(typed?: string): Promise<boolean> {
      const [status, where] = led(await it.types(typed));
      return status === 303 && where !== "/login/code";
    },
    presses: (link: string) => it.posts(link, { x: "" }),
    /** Presses the link of its mail in another browser. @returns whether that logs in there. */
    linkWorks: async () => (await browser().presses(await it.link())).status === 303,
    givesName: (name: string) => it.posts("/login/name", { name }),
    chooses: (user: string) => it.posts("/login/name", { user }),
    /** Who is new gives a name. */
    async logsInByMail(address: string, next?: string) {
      await it.asksForCode(address, next);
      const typed = await it.types();
      return led(typed)[1] === "/login/name" ? it.givesName("Ada Quist") : typed;
    },

    /** Presses what leads to Spotify. @returns the consent page's address. */
    async goesToSpotify(path = "/login", form: Record<string, string> = {}): Promise<URL> {
      return consentOf(await it.posts(path, form));
    },
    /** Answers on the consent page, and comes back. */
    async consents(page: URL, as: string, decision: "agree" | "deny" = "agree") {
      return it.gets((await consentTo(page, as, decision)).href);
    },
    async logsIn(as: string) {
      return it.consents(await it.goesToSpotify(), as);
    },
  };
  return it;
}

export async function browserOf(who: Pick<Someone, "login">, options: BrowserOptions = {}) {
  return browser({ ...options, cookies: [await who.login()] });
}

/** Somebody whose confirmed address is their only way in. */
export async function byAddress({
  ownEmail = freeAddress(),
  ...options
}: Parameters<typeof someone>[0] & { ownEmail?: string } = {}) {
  const user = await makeUser({ ...options, email: null, ownEmail });
  await change("users", { id: user.id }, { spotifyId: null });
  return { ...(await someone({ ...options, user, way: "email" })), ownEmail };
}

/** The link that confirms an address, of the only mail that has gone there for it. */
export async function linkTo(address: string): Promise<string> {
  const { id } = await row("mailedProofs", { kind: "confirmation", address, usedAt: null });
  return `/confirm-email?token=${await confirmationToken(secret, id)}`;
}

/** Their login is so old. */
export async function loggedInAgo(who: Pick<Someone, "id" | "login">, ms: number): Promise<void> {
  await who.login();
  await change("sessions", { userId: who.id }, { createdAt: Date.now() - ms });
}

/** They have the account of a musician at Spotify. */
export function isAtSpotify({ id }: { id: string }, musician: string): Promise<void> {
  return change("users", { id }, { spotifyId: accountIdOf(musician) });
}

/** @returns the address to which the consent page leads back. */
export function consentTo(authorizeUrl: URL, as: string, decision?: "agree" | "deny") {
  return decide({ authorizeUrl, cookie: "" }, as, decision);
}

export function consentOf(answer: Response): URL {
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get("Location") ?? "");
}
