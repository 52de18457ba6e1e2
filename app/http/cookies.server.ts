import { type Cookie, createCookie, createCookieSessionStorage } from "@remix-run/cloudflare";
import { sessionLifetime } from "~/domain/session/lifetime";
import { randomToken, seal, sha256, unseal } from "~/platform/crypto.server";

const attributes = { httpOnly: true, secure: true, sameSite: "lax", path: "/" } as const;

/** A signed cookie. A signature that cannot be read counts as forged: the cookie is absent. */
function signedCookie(name: string, secret: string, maxAge?: number): Cookie {
  const cookie = createCookie(name, { ...attributes, maxAge, secrets: [secret] });
  return { ...cookie, parse: (header) => cookie.parse(header).catch(() => null) };
}

/** The cookie that holds a login's random id, signed. The database knows only the id's hash. */
export function sessionCookie(secret: string) {
  const cookie = signedCookie("__Host-session", secret);
  return {
    /** The session row's key for a request's Cookie header, or null without a valid cookie. */
    async read(header: string | null): Promise<string | null> {
      const token = await cookie.parse(header);
      return typeof token === "string" && token.length > 0 ? sha256(token) : null;
    },
    /** A new session: the key of its row, and the Set-Cookie header for the browser. */
    async issue(): Promise<{ id: string; header: string }> {
      const token = randomToken();
      const header = await cookie.serialize(token, {
        maxAge: sessionLifetime.absoluteMs / 1000,
      });
      return { id: await sha256(token), header };
    },
    /** The Set-Cookie header that removes the session from the browser. */
    clear(): Promise<string> {
      return cookie.serialize("", { maxAge: 0 });
    },
  };
}

/**
 * The cookie that holds D1's bookmark after this browser's last write. It lasts until every replica
 * has caught up. It is encrypted, so that nobody can make a page wait for a state that never comes, or
 * read from it how much is written.
 */
export function bookmarkCookie(key: Uint8Array<ArrayBuffer>) {
  const cookie = createCookie("__Host-bookmark", { ...attributes, maxAge: 600 });
  return {
    /** The bookmark in a request's Cookie header, or null without a valid one. */
    async read(header: string | null): Promise<string | null> {
      const sealed: unknown = await cookie.parse(header).catch(() => null);
      return typeof sealed === "string" ? unseal(key, sealed, cookie.name) : null;
    },
    /** The Set-Cookie header that stores a bookmark in the browser. */
    async issue(bookmark: string): Promise<string> {
      return cookie.serialize(await seal(key, bookmark, cookie.name));
    },
  };
}

/**
 * The cookie of a login under way, which lasts ten minutes: the OAuth state, the client that the login
 * goes through, the path it leads to, the user it has to be, if somebody has to log in again, and
 * whether it is no new login but asks that user for the permission to add to their playlists.
 */
export function loginStorage(secret: string) {
  return createCookieSessionStorage<{
    client: string;
    next: string;
    again: string;
    playlists: true;
  }>({
    cookie: signedCookie("__Host-login", secret, 600),
  });
}
