/** Ids like Stripe's: a prefix, then letters and digits. */
import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** For example newId("sub_"). `length` does not count the prefix. */
export function newId(prefix: string, length = 24): string {
  const letters = [...randomBytes(length)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return prefix + letters.join("");
}
