import { seal, unseal } from "~/platform/crypto.server";

/** Encrypts a typed address for a URL, where nobody may read it or put another one into the user's form. */
export function sealEntered(
  tokenKey: Uint8Array<ArrayBuffer>,
  userId: string,
  address: string,
): Promise<string> {
  return seal(tokenKey, address, binding(userId));
}

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
