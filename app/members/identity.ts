import type { sessions } from "~/db/schema";
import { comparableAddress } from "./mail-address";

/** A way in. */
export type Way = (typeof sessions.$inferSelect)["way"];

/** A member's ways in: a Spotify account, a confirmed address, or both. */
export interface Identity {
  spotifyId: string | null;
  ownEmail: string | null;
}

/** By which the operator's log knows a member: the Spotify account, or else the address. */
export function identityOf({ spotifyId, ownEmail }: Identity): string {
  return spotifyId ?? comparableAddress(ownEmail ?? "");
}

/** `operators` are Spotify ids and addresses (OPERATORS). What is an address is nobody's id, whatever Spotify says. */
export function isAmong(operators: string[], { spotifyId, ownEmail }: Identity): boolean {
  const address = ownEmail === null ? null : comparableAddress(ownEmail);
  return operators.some((one) =>
    one.includes("@") ? comparableAddress(one) === address : one === spotifyId,
  );
}
