/** Which musician a call, a customer or a mail belongs to. */
import { musicianById, musicians } from "./catalogue.ts";

/**
 * The id of the musician with this user id in the seeded database ("user-demo-premium") or with this
 * e-mail address. For other users, such as those that tests create, it is the user id itself, or null
 * without one.
 */
export function musicianFor(
  userId: string | null | undefined,
  email: string | null | undefined,
): string | null {
  const seeded = userId?.startsWith("user-") ? userId.slice("user-".length) : "";
  if (musicianById.has(seeded)) return seeded;
  const wanted = email?.toLowerCase();
  const known = wanted && musicians.find((musician) => musician.email?.toLowerCase() === wanted);
  return known ? known.id : userId || null;
}
