/** Ids as Stripe makes them: a prefix, then letters and digits. */
import { randomBytes } from "node:crypto";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Such as newId("sub_"); `length` counts what follows the prefix. */
export function newId(prefix: string, length = 24): string {
  const letters = [...randomBytes(length)].map((byte) => LETTERS[byte % LETTERS.length]);
  return prefix + letters.join("");
}
