// With its ending, because measurements run this file in Node as it is.
import { fromBase64Url, toBase64Url } from "./base64.ts";
import { joinBytes } from "./bytes.ts";

const ivBytes = 12;

const toBytes = (text: string) => new TextEncoder().encode(text);

export function randomToken(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", toBytes(text));
  return toBase64Url(new Uint8Array(digest));
}

/**
 * AES-256-GCM under a fresh IV. `binding` is authenticated too, so that a ciphertext copied to another row
 * cannot be decrypted there.
 */
export async function seal(key: Uint8Array<ArrayBuffer>, text: string, binding: string) {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv, additionalData: toBytes(binding) },
    await importKey(key, "encrypt"),
    toBytes(text),
  );
  return toBase64Url(joinBytes([iv, new Uint8Array(sealed)]));
}

/** Null if the text was altered, or sealed with another key or binding. */
export async function unseal(key: Uint8Array<ArrayBuffer>, sealed: string, binding: string) {
  try {
    const bytes = fromBase64Url(sealed);
    if (!bytes) return null;
    const opened = await crypto.subtle.decrypt(
      {
        name: "AES-GCM",
        iv: bytes.subarray(0, ivBytes),
        additionalData: toBytes(binding),
      },
      await importKey(key, "decrypt"),
      bytes.subarray(ivBytes),
    );
    return new TextDecoder().decode(opened);
  } catch {
    return null;
  }
}

/** HMAC-SHA256. A signature for one purpose is not valid for another. */
export async function sign(secret: string, purpose: string, text: string): Promise<string> {
  const signature = await crypto.subtle.sign(
    "HMAC",
    await signingKey(secret),
    toBytes(`${purpose}\n${text}`),
  );
  return toBase64Url(new Uint8Array(signature));
}

/** A token that names something. `about` is signed along, and not told. */
export async function signToken(
  secret: string,
  purpose: string,
  name: string,
  about = "",
): Promise<string> {
  return `${name}.${await sign(secret, purpose, name + about)}`;
}

/** The token of a link that somebody has opened; empty without one. */
export function tokenIn({ url }: Pick<Request, "url">): string {
  return new URL(url).searchParams.get("token") ?? "";
}

/** What a token names. Null if it was altered, made up, or signed for another purpose. */
export async function readToken(
  secret: string,
  purpose: string,
  token: string,
  about = "",
): Promise<string | null> {
  const [, name = "", signature = ""] = /^(.+)\.(.+)$/s.exec(token) ?? [];
  const bytes = fromBase64Url(signature);
  if (!bytes) return null;
  const signed = toBytes(`${purpose}\n${name}${about}`);
  return (await crypto.subtle.verify("HMAC", await signingKey(secret), bytes, signed))
    ? name
    : null;
}

/** Importing a key takes longer than signing with it, and an isolate has very few. */
const signingKeys = new Map<string, CryptoKey>();

async function signingKey(secret: string): Promise<CryptoKey> {
  const known = signingKeys.get(secret);
  if (known) return known;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const usages: KeyUsage[] = ["sign", "verify"];
  const key = await crypto.subtle.importKey("raw", toBytes(secret), algorithm, false, usages);
  signingKeys.set(secret, key);
  return key;
}

function importKey(key: Uint8Array<ArrayBuffer>, usage: "encrypt" | "decrypt") {
  return crypto.subtle.importKey("raw", key, "AES-GCM", false, [usage]);
}
