import { seal, unseal } from "~/platform/crypto.server";

/**
 * Encrypts an address that a user has typed, for a URL while they log in again: nobody can read it there,
 * or make a link that puts another one into the user's form.
 */
export function sealEntered(
  tokenKey: Uint8Array<ArrayBuffer>,
  userId: string,
  address: string,
): Promise<string> {
  return seal(tokenKey, address, binding(userId));
}

/** The address that `sealEntered` encrypted for this user, or null. */
export async function unsealEntered(
  tokenKey: Uint8Array<ArrayBuffer>,
  userId: string,
  sealed: string | null,
): Promise<string | null> {
  return sealed === null ? null : unseal(tokenKey, sealed, binding(userId));
}

function binding(userId: string): string {
  return `address entered by ${userId}`;
}
