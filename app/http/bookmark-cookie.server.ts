import { createCookie } from "@remix-run/cloudflare";
import { attributes } from "~/login/cookies.server";
import { seal, unseal } from "~/platform/crypto.server";

/**
 * The cookie that holds D1's bookmark after this browser's last write. Encrypted, because a forged bookmark could
 * make a page wait for ever, and a readable one tells how much is written.
 */
export function bookmarkCookie(key: Uint8Array<ArrayBuffer>) {
  const cookie = createCookie("__Host-bookmark", { ...attributes, maxAge: 600 });
  return {
    async read(header: string | null): Promise<string | null> {
      const sealed: unknown = await cookie.parse(header).catch(() => null);
      return typeof sealed === "string" ? unseal(key, sealed, cookie.name) : null;
    },
    issue: async (bookmark: string) => cookie.serialize(await seal(key, bookmark, cookie.name)),
  };
}
