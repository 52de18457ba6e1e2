/** Ways into an account: how users gain them, leave, and come back by them. */
import { env } from "cloudflare:workers";
import { deleteAccount } from "~/account/delete.server";
import { runBatch } from "~/db/gated";
import { confirmAddress, confirmationToken } from "~/mailing/address.server";
import { recogniseAccount, wayFingerprint } from "~/members/what-outlives.server";
import { readConfig } from "~/platform/env";
import { connectSpotify } from "~/sources/spotify/login/connect.server";
import { createLoginSession } from "~/sources/spotify/login/session.server";
import { insert, type TestUser, unique } from "./database/factories";
import { db, row, rows } from "./database/rows";
import { makeEmailMember } from "./login";
import { stubBilling } from "./stripe/billing-stub";

const { sessionSecret: secret, tokenKey } = readConfig(env);
const hour = 60 * 60 * 1000;

export function freeAddress(): string {
  return `${unique("own")}@mail.example`;
}

export async function spotifyIdOf({ id }: TestUser): Promise<string> {
  return (await row("users", { id })).spotifyId ?? "";
}

export async function asked({ id }: TestUser, address: string): Promise<string> {
  const link = unique("link");
  const kind = "confirmation";
  const times = { created_at: Date.now() - 1000, expires_at: Date.now() + hour };
  await insert("mailed_proofs", { id: link, kind, asked_by: id, address, ...times }).run();
  return confirmationToken(secret, link);
}

export async function confirm(user: TestUser, address: string) {
  return confirmAddress(db, await asked(user, address), { secret, now: Date.now() });
}

export function leave({ id }: TestUser) {
  return deleteAccount({ db, billing: stubBilling(), secret, now: () => Date.now() }, id);
}

function grantOf(spotifyId: string) {
  const profile = {
    id: spotifyId,
    displayName: "X",
    email: null,
    imageUrl: null,
    hasPremium: true,
  };
  const tokens = { accessToken: "a", refreshToken: "r", expiresIn: 3600, mayAddToPlaylists: false };
  return { profile, ...tokens };
}

export async function comeBySpotify(spotifyId: string): Promise<string> {
  const id = unique("session");
  const session = { id, clientId: "c", tokenKey, secret, device: null, replaces: null };
  await createLoginSession(db, grantOf(spotifyId), { ...session, now: Date.now() });
  return (await row("sessions", { id })).userId;
}

/** A new account by an address, as a login by e-mail makes it. */
export async function comeByAddress(address: string): Promise<string> {
  const { user } = await makeEmailMember({ ownEmail: address });
  const fingerprint = await wayFingerprint(secret, "ownEmail", address);
  await runBatch(db, recogniseAccount(db, fingerprint, user.id));
  return user.id;
}

export async function connect(userId: string, spotifyId: string) {
  const [{ id } = { id: "" }] = await rows("sessions", { userId });
  const asking = { id, userId, clientId: "c", tokenKey, secret, now: Date.now() };
  return connectSpotify(db, grantOf(spotifyId), asking);
}
