import { deriveKey, seal, sign, unseal } from "~/platform/crypto.server";
import { type Past, stillRemembered } from "./past";

/**
 * Sealed pasts are padded to a multiple of this, in characters: enough for a hundred songs, so that
 * the length of nearly all of them says nothing.
 */
const blockLength = 8192;

/** The fingerprint of a Spotify account, under which its past is kept. */
export async function accountFingerprint(secret: string, spotifyId: string): Promise<string> {
  return sign(await keyOf(secret), "account", spotifyId);
}

/**
 * The fingerprint of a Spotify account together with a song it has rated. Those of one account have
 * nothing in common, nor have those of one song.
 */
export async function ratingFingerprint(
  secret: string,
  spotifyId: string,
  songId: string,
): Promise<string> {
  return sign(await keyOf(secret), "rating", JSON.stringify([spotifyId, songId]));
}

/** The fingerprint of a Spotify account together with a song that Spotify has not played to it. */
export async function refusalFingerprint(
  secret: string,
  spotifyId: string,
  songId: string,
): Promise<string> {
  return sign(await keyOf(secret), "refusal", JSON.stringify([spotifyId, songId]));
}

/** Encrypts a past, so that only the secret and the Spotify account's id together open it. */
export async function sealPast(secret: string, spotifyId: string, past: Past): Promise<string> {
  const text = JSON.stringify(past);
  const padded = text.padEnd(Math.ceil(text.length / blockLength) * blockLength);
  return seal(await pastKey(secret, spotifyId), padded, "past");
}

/** The part of a sealed past that has not ended; null without one, or if the secret was changed. */
export async function openPast(
  { secret, now }: { secret: string; now: number },
  spotifyId: string,
  sealed: string | null,
): Promise<Past | null> {
  if (sealed === null) return null;
  const text = await unseal(await pastKey(secret, spotifyId), sealed, "past");
  return text === null ? null : stillRemembered(JSON.parse(text) as Past, now);
}

async function pastKey(secret: string, spotifyId: string) {
  return deriveKey(await keyOf(secret), "past", spotifyId);
}

/** A key that is derived from the secret for this purpose alone. */
function keyOf(secret: string): Promise<string> {
  return sign(secret, "derive a key", "what outlives an account");
}
