import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { confirmAddress, confirmationToken, forgetWaitingAddress } from "~/mailing/address.server";
import { readConfig } from "~/platform/env";
import { makeSong, makeUser, type TestUser, unique } from "../../support/database/factories";
import { change, db, row } from "../../support/database/rows";
import { hides, shows, stored } from "../../support/expectations";
import {
  addressOf,
  askToConfirm,
  deliver,
  delivers,
  expectMail,
  failMails,
  letTimePass,
  mailsTo,
  mailTo,
  owed,
  oweRating,
  postsTo,
} from "../../support/mails";

const { sessionSecret: secret } = readConfig(env);

function freeAddress(): string {
  return `${unique("someone")}@elsewhere.example`;
}

test("a mail goes to the user's own address rather than Spotify's", async () => {
  const ownEmail = freeAddress();
  const user = await makeUser({ ownEmail });
  await delivers(await oweRating(await makeSong(user)));
  await mailTo(ownEmail);
  expect(await mailsTo(addressOf(user))).toEqual([]);
});

test("a mail goes to nobody if there is no address: it is skipped", async () => {
  const user = await makeUser({ email: null });
  await delivers(await oweRating(await makeSong(user)));
  await stored("outbox", { state: "skipped", fault: "no address" });
});

/** Tries a mail again after the user's address has changed. */
async function triedAgain(address: string | null) {
  const { id, to: old, owner } = await owed();
  await failMails(old, { status: 500 });
  await deliver([id]);
  const tried = await row("outbox");
  await change("users", { id: owner.id }, { email: address });
  await letTimePass();
  await delivers(id);
  expect(await mailsTo(old)).toEqual([]);
  return { old, tried };
}

test("a mail goes to the new address, and not to the old one, after the address has changed between two attempts", async () => {
  const address = freeAddress();
  const { old, tried } = await triedAgain(address);
  expect(tried.to).toBe(old);
  const mail = await mailTo(address);
  expect(mail.to).toEqual([address]);
  // The unsubscribe link for the old address is not in it.
  const token = /token=(\S+)/.exec(tried.text ?? "")?.[1] ?? "none";
  hides(JSON.stringify(mail), token);
  const posts = [...(await postsTo(old)), ...(await postsTo(address))];
  expect(new Set(posts.map(({ headers }) => headers["idempotency-key"])).size).toBe(2);
});

test("a mail goes to nobody after the address was removed between two attempts", async () => {
  await triedAgain(null);
  await stored("outbox", { state: "skipped", to: null });
});

async function ask(user: TestUser, address = freeAddress(), now = Date.now()) {
  const id = await askToConfirm(user.id, address, now);
  const { subjectId } = await row("outbox", { id });
  return { id, address, token: await confirmationToken(secret, subjectId) };
}

function confirm(token: string) {
  return confirmAddress(db, token, { secret, now: Date.now() });
}

test("a confirmation goes to the address to confirm, with the link, and no other mail goes there", async () => {
  const user = await makeUser();
  const { id, address, token } = await ask(user);
  const rating = await oweRating(await makeSong(user));
  await delivers(id, rating);
  const mail = await mailTo(address);
  shows(mail.text, `/confirm-email?token=${token}`);
  expect(mail.headers).toEqual({
    "Auto-Submitted": "auto-generated",
    "X-Auto-Response-Suppress": "OOF, AutoReply",
  });
  hides(JSON.stringify(await mailTo(addressOf(user))), token);
  expect(await confirm(token)).toMatchObject({ address });
});

test("a confirmation is sent to a user without an address, even if the user wants no mails", async () => {
  const { id, address } = await ask(await makeUser({ email: null, receiveRatingEmails: false }));
  await deliver([id]);
  await mailTo(address);
});

test.each<[when: string, change: (user: TestUser, token: string) => Promise<unknown>]>([
  ["a later one has replaced it", (user) => ask(user, freeAddress(), Date.now() + 1)],
  ["it was used", (_, token) => confirm(token)],
  ["the user has removed the address", ({ id }) => forgetWaitingAddress(db, id, Date.now())],
  ["it has expired", () => change("mailedProofs", {}, { expiresAt: 1 })],
])("a confirmation is not sent once %s", async (_when, happens) => {
  const user = await makeUser();
  const { id, address, token } = await ask(user);
  await happens(user, token);
  await delivers(id);
  await expectMail(id, { state: "skipped", fault: "superseded" });
  expect(await mailsTo(address)).toEqual([]);
});
