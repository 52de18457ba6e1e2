import {
  type Cookie,
  createCookie,
  createCookieSessionStorage,
  type SessionStorage,
} from "@remix-run/cloudflare";
import { knownBrowserDays, sessionLifetime } from "~/members/lifetime";
import { randomToken, sha256 } from "~/platform/crypto.server";
import type { Config } from "~/platform/env";

export const attributes = { httpOnly: true, secure: true, sameSite: "lax", path: "/" } as const;

/** The cookie that holds a login's random id, signed. The database knows only the id's hash. */
export function sessionCookie(secret: string) {
  const cookie = createCookie("__Host-session", { ...attributes, secrets: [secret] });
  return {
    async read(header: string | null): Promise<string | null> {
      const token = await readCookie(cookie, header);
      return token ? sha256(token) : null;
    },
    async issue() {
      const token = randomToken();
      const header = await cookie.serialize(token, { maxAge: sessionLifetime.absoluteMs / 1000 });
      return { id: await sha256(token), header };
    },
    clear: () => cookie.serialize("", { maxAge: 0 }),
  };
}

/** Remix throws if a signature is not base64. */
async function readCookie(cookie: Cookie, header: string | null): Promise<string | null> {
  const value: unknown = await cookie.parse(header).catch(() => null);
  return typeof value === "string" ? value : null;
}

/** Leaves out "cookies", which would also delete those of other sites under the same registrable domain. */
export async function logoutHeaders({ config }: { config: Config }) {
  return {
    "Set-Cookie": await sessionCookie(config.sessionSecret).clear(),
    "Clear-Site-Data": '"cache", "storage"',
  };
}

export function loginStorage(secret: string) {
  return tenMinutes<{
    client: string;
    state: string;
    next: string;
    again: string;
    /** Asks that user for the permission to add to playlists, or connects Spotify; no new login. */
    playlists: true;
    connects: true;
  }>("__Host-login", secret);
}

/** Holds nothing but ids, of which the database knows how often they may be used. */
export function emailLoginStorage(secret: string) {
  return tenMinutes<{
    /** The code that was mailed last (`requestCode`). */
    code: string;
    /** What a verified code has given (`EmailGrant`). */
    ticket: string;
  }>("__Host-email-login", secret);
}

function tenMinutes<Data>(name: string, secret: string): SessionStorage<Data> {
  const cookie = { ...attributes, name, maxAge: 600, secrets: [secret] };
  const storage = createCookieSessionStorage<Data>({ cookie });
  return {
    ...storage,
    // As `readCookie`.
    getSession: (header) => storage.getSession(header).catch(() => storage.getSession()),
  };
}

/** The cookie by which a browser is known to a mailbox for a year (`markBrowser`), which signs its value. */
export function knownBrowserCookie() {
  const cookie = createCookie("__Host-known", { ...attributes, maxAge: knownBrowserDays * 86_400 });
  return {
    read: (header: string | null) => readCookie(cookie, header),
    issue: (kept: string) => cookie.serialize(kept),
  };
}
