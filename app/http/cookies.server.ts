import { type Cookie, createCookie, createCookieSessionStorage } from "@remix-run/cloudflare";
import { sessionLifetime } from "~/domain/session/lifetime";
import { randomToken, seal, sha256, unseal } from "~/platform/crypto.server";

const attributes = { httpOnly: true, secure: true, sameSite: "lax", path: "/" } as const;

/** A signed cookie. One whose signature cannot even be read counts as absent, like a forged one. */
function signedCookie(name: string, secret: string, maxAge?: number): Cookie {
  const cookie = createCookie(name, { ...attributes, maxAge, secrets: [secret] });
  return { ...cookie, parse: (header) => cookie.parse(header).catch(() => null) };
}

/**
 * The cookie that holds a login's random id, signed. The database knows only the id's hash.
 */
export function sessionCookie(secret: string) {
  const cookie = signedCookie("__Host-session", secret);
  return {
    /** The session row's key for a request's Cookie header, or null without a valid cookie. */
    async read(header: string | null): Promise<string | null> {
      const token = await cookie.parse(header);
      return typeof token === "string" && token.length > 0 ? sha256(token) : null;
    },
    /** A new session: its row's key and the Set-Cookie header that gives it to the browser. */
    async issue(): Promise<{ id: string; header: string }> {
      const token = randomToken();
      const header = await cookie.serialize(token, {
        maxAge: sessionLifetime.absoluteMs / 1000,
      });
      return { id: await sha256(token), header };
    },
    /** The Set-Cookie header that takes the session from the browser. */
    clear(): Promise<string> {
      return cookie.serialize("", { maxAge: 0 });
    },
  };
}

/**
 * The cookie that holds where the database stood after this browser's last write, for as long as no
 * replica can be behind. Sealed: nobody can make a page wait for a state that never comes, or count by
 * it how much is written.
 */
export function bookmarkCookie(key: Uint8Array<ArrayBuffer>) {
  const cookie = createCookie("__Host-bookmark", { ...attributes, maxAge: 600 });
  return {
    /** The bookmark in a request's Cookie header, or null without a valid one. */
    async read(header: string | null): Promise<string | null> {
      const sealed: unknown = await cookie.parse(header).catch(() => null);
      return typeof sealed === "string" ? unseal(key, sealed, cookie.name) : null;
    },
    /** The Set-Cookie header that gives a bookmark to the browser. */
    async issue(bookmark: string): Promise<string> {
      return cookie.serialize(await seal(key, bookmark, cookie.name));
    },
  };
}

/**
 * The ten minutes' memory of a login under way: OAuth state, which client it went through, and the
 * path it leads to.
 */
export function loginStorage(secret: string) {
  return createCookieSessionStorage<{ client: string; next: string }>({
    cookie: signedCookie("__Host-login", secret, 600),
  });
}
