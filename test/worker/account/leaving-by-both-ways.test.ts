import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { deleteAccount } from "~/account/delete.server";
import { asBoolean } from "~/db/expressions";
import { songs } from "~/db/schema";
import { requestConfirmation } from "~/mailing/address.server";
import { isInCooldown, wayFingerprint } from "~/members/what-outlives.server";
import { readConfig } from "~/platform/env";
import { isClosedTo } from "~/sources/recording.server";
import { counts, gives } from "../../support/answers";
import { insert, makeRating, makeUser } from "../../support/database/factories";
import { change, db, rows } from "../../support/database/rows";
import { noteQueued } from "../../support/mail-queue";
import { makeOperator } from "../../support/operator";
import { someone, song } from "../../support/people";
import { byAddress } from "../../support/people/logins";
import { stubBilling } from "../../support/stripe/billing-stub";
import { comeByAddress, comeBySpotify, confirm, connect, freeAddress } from "../../support/ways-in";

const { sessionSecret: secret } = readConfig(env);

/** Somebody with both ways in, and how they come in again by each of them. */
async function member() {
  const ownEmail = freeAddress();
  const who = await someone({ ownEmail });
  who.at(Date.now());
  const spotifyId = (await who.now()).spotifyId ?? "";
  return {
    ...{ who, ownEmail, spotifyId },
    comes: {
      "by Spotify": () => comeBySpotify(spotifyId),
      "by address": () => comeByAddress(ownEmail),
    },
  };
}

/** Who has rated a song before they leave, and whether a user waits and has that song closed to them then. */
async function leaver() {
  const made = await member();
  const it = await song();
  const { id } = it;
  await makeRating(made.who, it);
  async function standing(userId: string) {
    const waits = asBoolean(isInCooldown(userId, Date.now()), "waits");
    const closed = asBoolean(isClosedTo(userId, sql`songs.recording`), "closed");
    const [found] = await db.select({ waits, closed }).from(songs).where(eq(songs.id, id));
    return found;
  }
  return { ...made, songId: id, standing };
}

const held = { waits: true, closed: true };

test.each([
  ["by Spotify", "by address"],
  ["by address", "by Spotify"],
  ["by address", "connected"],
] as const)("who comes back %s, and then %s, has reset no limit", async (first, second) => {
  const { who, spotifyId, standing, comes } = await leaver();
  await who.leaves();
  const back = await comes[first]();
  expect(await standing(back)).toEqual(held);
  if (second === "connected") expect(await connect(back, spotifyId)).toBe("connected");
  else expect(await standing(await comes[second]())).toEqual(held);
  expect(await standing(back)).toEqual(held);
});

test("the marks of earlier accounts are found with each way in that a later one had", async () => {
  const { who, ownEmail, comes, standing } = await leaver();
  await change("users", { id: who.id }, { ownEmail: null });
  await who.leaves();
  const back = await someone({ user: { id: await comes["by Spotify"](), displayName: "" } });
  expect(await confirm(back, ownEmail)).toMatchObject({ current: true });
  await back.at(Date.now()).leaves();
  expect(await standing(await comes["by address"]())).toEqual(held);
});

test("who has left is recognised by who confirms the address, and nobody else is", async () => {
  const { who, ownEmail, standing } = await leaver();
  await who.leaves();
  const [later, stranger] = [await makeUser(), await makeUser()];
  await confirm(later, ownEmail);
  await confirm(stranger, freeAddress());
  expect(await standing(later.id)).toEqual(held);
  expect(await standing(stranger.id)).toEqual({ waits: false, closed: false });
});

test("an earlier deletion stands in the export once", async () => {
  const { who, ownEmail, songId } = await leaver();
  await who.leaves();
  const back = await someone();
  await confirm(back, ownEmail);
  await change("departures", {}, { userId: back.id });
  expect(await (await back.posts("/account/export")).json()).toMatchObject({
    waysIn: { spotify: true, email: true },
    accountDeletedBefore: { songsNotOfferedAgain: [{ songId }] },
  });
});

test("a deletion leaves nothing out, if a way in is added while it is under way", async () => {
  const user = await makeUser({ tier: "premium" });
  const ownEmail = freeAddress();
  const billing = stubBilling({
    async customer(id) {
      await confirm(user, ownEmail);
      return { id, userId: user.id, email: null };
    },
    deleteCustomer: async () => undefined,
  });
  await deleteAccount({ db, billing, secret, now: Date.now }, user.id);
  const id = await wayFingerprint(secret, "ownEmail", ownEmail);
  await counts("departures", 1, { id });
});

const reason = "Three songs were noise.";

/** Whom locks are on. */
const locked = async () => (await rows("submissionLocks")).map(({ userId }) => userId).sort();

/** A member who is locked, and the operator's list of locks, whose entry ends the lock. */
async function lockSomebody() {
  const made = await member();
  const operator = await makeOperator();
  const lock = await operator.act({ do: "lock", user: made.who.id, reason });
  expect(lock.status).toBe(303);
  async function list() {
    const page = await operator.page();
    return /<section aria-labelledby="locks">.*?<\/section>/s.exec(page)?.[0] ?? "";
  }
  async function expectUnlocked() {
    const [, lock = ""] = /name="lock" value="(.{43})"/.exec(await list()) ?? [];
    const unlocked = await operator.act({ do: "unlock", lock, reason: "They are not." });
    expect([unlocked.status, await locked()]).toEqual([303, []]);
  }
  return { ...made, list, expectUnlocked };
}

test("a lock is on both ways in, is shown once, and ends on both", async () => {
  const { who, list, expectUnlocked } = await lockSomebody();
  expect(await locked()).toEqual([who.id, who.id]);
  expect((await list()).split(reason)).toHaveLength(2);
  await expectUnlocked();
});

test.each([[["by address", "by Spotify"]], [[]]] as const)(
  "a lock follows a deleted account that comes back %j, and then ends on both ways in",
  async (ways) => {
    const { who, comes, list, expectUnlocked } = await lockSomebody();
    await who.leaves();
    expect((await list()).split("A deleted account")).toHaveLength(2);
    const back: string[] = [];
    for (const way of ways) back.push(await comes[way]());
    if (ways.length > 0) expect(await locked()).toEqual(back.sort());
    await expectUnlocked();
  },
);

test("a lock is on a way in that is added later, also once the account has left", async () => {
  const operator = await makeOperator();
  const who = await someone();
  await operator.act({ do: "lock", user: who.id, reason });
  const address = freeAddress();
  await confirm(who, address);
  await who.posts("/account/email/remove");
  await who.leaves();
  expect(await locked()).toEqual([null, null]);
  const back = await comeByAddress(address);
  await counts("submissionLocks", 1, { userId: back });
});

test("a lock of an operator's other way in is not lifted by that operator", async () => {
  const ownEmail = freeAddress();
  const { act } = await makeOperator(await makeUser({ ownEmail }));
  const lock = await wayFingerprint(secret, "ownEmail", ownEmail);
  await insert("submission_locks", { id: lock, reason, locked_at: 1 }).run();
  await gives(act({ do: "unlock", lock, reason: "Mine." }), 403);
  expect(await locked()).toEqual([null]);
});

/** Asks for a confirmation. @returns the status of a refusal. */
async function ask(userId: string) {
  const asking = { db, secret, mailQueue: noteQueued(), now: Date.now() };
  const limits = { places: ["192.0.2.1"], perDay: 60 };
  return (await requestConfirmation(userId, freeAddress(), { ...asking, ...limits }))?.status;
}

test("a member gets five confirmations a day, whatever ways in they add, change or come back by", async () => {
  const { ownEmail, ...who } = await byAddress();
  await who.login();
  for (let n = 0; n < 5; n += 1) expect(await ask(who.id)).toBeUndefined();
  expect(await ask(who.id)).toBe(429);
  expect(await connect(who.id, "another-way")).toBe("connected");
  expect(await ask(who.id)).toBe(429);
  await confirm(who, freeAddress());
  expect(await ask(who.id)).toBe(429);
  await who.leaves();
  expect(await ask(await comeByAddress(ownEmail))).toBe(429);
});

test("confirmations asked for with both ways in count for each of them", async () => {
  const { who, comes } = await member();
  for (let n = 0; n < 5; n += 1) expect(await ask(who.id)).toBeUndefined();
  await who.leaves();
  expect(await ask(await comes["by address"]())).toBe(429);
  expect(await ask(await comes["by Spotify"]())).toBe(429);
  expect(await ask((await makeUser()).id)).toBeUndefined();
});
