import { createCookieSessionStorage } from "@remix-run/cloudflare";
import { createCookieFactory } from "@remix-run/server-runtime";
import { sessionLifetime } from "~/members/lifetime";
import { fromBase64, toBase64 } from "~/platform/base64";
import { randomToken, seal, sha256, signingKey, unseal } from "~/platform/crypto.server";

const attributes = { httpOnly: true, secure: true, sameSite: "lax", path: "/" } as const;

/** Remix's cookies, signed as Remix signs them. Remix itself imports the key anew for each signature. */
const createCookie = createCookieFactory({
  async sign(value, secret) {
    const signature = await crypto.subtle.sign("HMAC", await signingKey(secret), bytesOf(value));
    return `${value}.${toBase64(new Uint8Array(signature)).replace(/=+$/, "")}`;
  },
  // A signature that is not base64 is forged.
  async unsign(signed, secret) {
    const dot = signed.lastIndexOf(".");
    const value = signed.slice(0, dot);
    const signature = fromBase64(signed.slice(dot + 1));
    const key = await signingKey(secret);
    const isOurs =
      signature && (await crypto.subtle.verify("HMAC", key, signature, bytesOf(value)));
    return isOurs ? value : false;
  },
});

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** The cookie that holds a login's random id, signed. The database knows only the id's hash. */
export function sessionCookie(secret: string) {
  const cookie = createCookie("__Host-session", { ...attributes, secrets: [secret] });
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
    state: string;
    next: string;
    again: string;
    playlists: true;
  }>({
    cookie: createCookie("__Host-login", { ...attributes, maxAge: 600, secrets: [secret] }),
  });
}
