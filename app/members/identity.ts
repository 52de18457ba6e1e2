import { comparableAddress } from "./mail-address";

/** A member's ways in: a Spotify account, a confirmed address, or both. */
export interface Identity {
  spotifyId: string | null;
  ownEmail: string | null;
}

/** By which limits and the operator's log know a member: the Spotify account, or else the address. */
export function identityOf({ spotifyId, ownEmail }: Identity): string {
  return spotifyId ?? comparableAddress(ownEmail ?? "");
}

/** `operators` are Spotify ids and addresses (OPERATORS). */
export function isAmong(operators: string[], { spotifyId, ownEmail }: Identity): boolean {
  const address = ownEmail === null ? null : comparableAddress(ownEmail);
  return operators.some((one) => one === spotifyId || comparableAddress(one) === address);
}
