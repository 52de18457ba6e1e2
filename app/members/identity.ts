import { comparableAddress, mailboxOf } from "./mail-address";

/** A member's ways in: a Spotify account, a confirmed address, or both. */
export interface Identity {
  spotifyId: string | null;
  ownEmail: string | null;
}

/** An identity for each way in. */
export function waysOf({ spotifyId, ownEmail }: Identity): Identity[] {
  return [
    ...(spotifyId === null ? [] : [{ spotifyId, ownEmail: null }]),
    ...(ownEmail === null ? [] : [{ spotifyId: null, ownEmail }]),
  ];
}

/** By which the operator's log knows a member: the Spotify account, or else the address. */
export function identityOf({ spotifyId, ownEmail }: Identity): string {
  return spotifyId ?? comparableAddress(ownEmail ?? "");
}

/** By which limits, and what outlives an account, know a way in: the Spotify account, or else the mailbox. */
export function wayKey({ spotifyId, ownEmail }: Identity): string {
  return spotifyId ?? mailboxOf(ownEmail ?? "");
}

/** `operators` are Spotify ids and addresses (OPERATORS). What is an address is nobody's id, whatever Spotify says. */
export function isAmong(operators: string[], { spotifyId, ownEmail }: Identity): boolean {
  const address = ownEmail === null ? null : comparableAddress(ownEmail);
  return operators.some((one) =>
    one.includes("@") ? comparableAddress(one) === address : one === spotifyId,
  );
}
