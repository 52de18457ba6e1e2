import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { deleteAccount } from "~/account/delete.server";
import { createDatabase } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { songs } from "~/db/schema";
import { requestConfirmation } from "~/mailing/address.server";
import { isInCooldown, wayFingerprint } from "~/members/what-outlives.server";
import { readConfig } from "~/platform/env";
import { isClosedTo } from "~/sources/recording.server";
import { rowsOf } from "../../support/database/contents";
import {
  insert,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
} from "../../support/database/factories";
import { makeEmailMember, makeMember } from "../../support/login";
import { noteQueued } from "../../support/mail-queue";
import { makeOperator } from "../../support/operator";
import { request } from "../../support/request";
import { stubBilling } from "../../support/stripe/billing-stub";
import {
  comeByAddress,
  comeBySpotify,
  confirm,
  connect,
  freeAddress,
  leave,
  spotifyIdOf,
} from "../../support/ways-in";

const { sessionSecret: secret } = readConfig(env);
const db = createDatabase(env.DB);

/** Whether a user waits until a day is over, and whether a song is closed to them. */
async function standing(userId: string, { id }: TestSong) {
  const [row] = await db
    .select({
      waits: asBoolean(isInCooldown(userId, Date.now()), "waits"),
      closed: asBoolean(isClosedTo(userId, sql`songs.recording`), "closed"),
    })
    .from(songs)
    .where(eq(songs.id, id));
  return row;
}

describe("who deletes an account with two ways in", () => {
  async function leaver() {
    const ownEmail = freeAddress();
    const user = await makeUser({ ownEmail });
    const song = await makeSong(await makeUser());
    await makeRating(user, song);
    return { user, ownEmail, song, spotifyId: await spotifyIdOf(user) };
  }
  const held = { waits: true, closed: true };

  test("resets no limit by either of them, in either order, nor by both", async () => {
    for (const order of ["Spotify first", "address first", "both, connected"]) {
      const { user, ownEmail, song, spotifyId } = await leaver();
      await leave(user);
      const first =
        order === "Spotify first" ? await comeBySpotify(spotifyId) : await comeByAddress(ownEmail);
      expect([order, await standing(first, song)]).toEqual([order, held]);
      if (order === "both, connected") {
        expect(await connect(first, spotifyId)).toBe("connected");
        expect([order, await standing(first, song)]).toEqual([order, held]);
        continue;
      }
      const second =
        order === "Spotify first" ? await comeByAddress(ownEmail) : await comeBySpotify(spotifyId);
      expect([order, await standing(second, song)]).toEqual([order, held]);
      expect([order, await standing(first, song)]).toEqual([order, held]);
    }
  });

  test("finds the marks of earlier accounts with each way in that a later one had", async () => {
    const { user, ownEmail, song, spotifyId } = await leaver();
    await env.DB.prepare("UPDATE users SET own_email = NULL WHERE id = ?").bind(user.id).run();
    await leave(user);
    const back = await comeBySpotify(spotifyId);
    expect(await confirm({ id: back, displayName: "" }, ownEmail)).toMatchObject({ current: true });
    await leave({ id: back, displayName: "" });
    const viaAddress = await comeByAddress(ownEmail);
    expect(await standing(viaAddress, song)).toEqual(held);
  });

  test("is recognised by who confirms the address, and nobody else is", async () => {
    const { user, ownEmail, song } = await leaver();
    await leave(user);
    const [later, stranger] = [await makeUser(), await makeUser()];
    await confirm(later, ownEmail);
    expect(await standing(later.id, song)).toEqual(held);
    await confirm(stranger, freeAddress());
    expect(await standing(stranger.id, song)).toEqual({ waits: false, closed: false });
  });

  test("exports the earlier deletion once", async () => {
    const { user, ownEmail, song, spotifyId } = await leaver();
    await leave(user);
    const { user: back, cookie } = await makeMember();
    await env.DB.prepare("UPDATE users SET spotify_id = 'gone' WHERE id = ?").bind(back.id).run();
    await confirm(back, ownEmail);
    await env.DB.prepare("UPDATE departures SET user_id = ?").bind(back.id).run();
    expect(spotifyId).not.toBe("");
    const file = await request("/account/export", { cookie, form: {} });
    expect(await file.json()).toMatchObject({
      waysIn: { spotify: true, email: true },
      accountDeletedBefore: { songsNotOfferedAgain: [{ songId: song.id }] },
    });
  });

  test("leaves nothing out, if a way in is added while the deletion is under way", async () => {
    const user = await makeUser({ tier: "premium" });
    const address = freeAddress();
    const billing = stubBilling({
      async customer(id) {
        await confirm(user, address);
        return { id, userId: user.id, email: null };
      },
      deleteCustomer: async () => undefined,
    });
    await deleteAccount({ db, billing, secret, now: () => Date.now() }, user.id);
    const fingerprint = await wayFingerprint(secret, "ownEmail", address);
    const found = await rowsOf("SELECT id FROM departures WHERE id = ?", fingerprint);
    expect(found).toEqual([{ id: fingerprint }]);
  });
});

describe("a lock", () => {
  const reason = "Three songs were noise.";
  const locked = "SELECT user_id FROM submission_locks ORDER BY user_id";

  async function lockSomebody() {
    const ownEmail = freeAddress();
    const user = await makeUser({ ownEmail });
    const operator = await makeOperator();
    expect((await operator.act({ do: "lock", user: user.id, reason })).status).toBe(303);
    return { user, ownEmail, spotifyId: await spotifyIdOf(user), operator };
  }

  async function unlock(operator: Awaited<ReturnType<typeof makeOperator>>) {
    const [, lock = ""] = /name="lock" value="(.{43})"/.exec(await operator.page()) ?? [];
    return (await operator.act({ do: "unlock", lock, reason: "They are not." })).status;
  }

  test("is on both ways in, is shown once, and ends on both", async () => {
    const { user, operator } = await lockSomebody();
    expect(await rowsOf(locked)).toEqual([{ user_id: user.id }, { user_id: user.id }]);
    const list = /<section aria-labelledby="locks">.*?<\/section>/s.exec(
      await operator.page(),
    )?.[0];
    expect(list?.split(reason)).toHaveLength(2);
    expect(await unlock(operator)).toBe(303);
    expect(await rowsOf(locked)).toEqual([]);
  });

  test("follows by either way in after the account was deleted, and then ends on both", async () => {
    const { user, ownEmail, spotifyId, operator } = await lockSomebody();
    await leave(user);
    const list = /<section aria-labelledby="locks">.*?<\/section>/s.exec(
      await operator.page(),
    )?.[0];
    expect(list?.split("A deleted account")).toHaveLength(2);
    const back = [await comeByAddress(ownEmail), await comeBySpotify(spotifyId)];
    expect(await rowsOf(locked)).toEqual(back.toSorted().map((user_id) => ({ user_id })));
    expect(await unlock(operator)).toBe(303);
    expect(await rowsOf(locked)).toEqual([]);
  });

  test("ends for a deleted account on both ways in", async () => {
    const { user, operator } = await lockSomebody();
    await leave(user);
    expect(await unlock(operator)).toBe(303);
    expect(await rowsOf(locked)).toEqual([]);
  });

  test("is on a way in that is added later, also once the account has left", async () => {
    const operator = await makeOperator();
    const { user, cookie } = await makeMember();
    await operator.act({ do: "lock", user: user.id, reason });
    const address = freeAddress();
    await confirm(user, address);
    await request("/account/email/remove", { cookie, json: {} });
    await leave(user);
    expect(await rowsOf(locked)).toEqual([{ user_id: null }, { user_id: null }]);
    const back = await comeByAddress(address);
    expect(await rowsOf(`${locked} DESC LIMIT 1`)).toEqual([{ user_id: back }]);
  });

  test("of an operator's other way in is not lifted by that operator", async () => {
    const ownEmail = freeAddress();
    const operator = await makeOperator(await makeUser({ ownEmail }));
    const id = await wayFingerprint(secret, "ownEmail", ownEmail);
    await insert("submission_locks", { id, reason, locked_at: 1 }).run();
    expect((await operator.act({ do: "unlock", lock: id, reason: "Mine." })).status).toBe(403);
    expect(await rowsOf(locked)).toEqual([{ user_id: null }]);
  });
});

describe("of confirmations in a day", () => {
  const ask = (userId: string) =>
    requestConfirmation(userId, freeAddress(), {
      ...{ db, secret, mailQueue: noteQueued(), now: Date.now() },
      ...{ places: ["192.0.2.1"], perDay: 60 },
    });

  test("a member gets five, whatever ways in they add, change or come back by", async () => {
    const { user, ownEmail } = await makeEmailMember();
    for (let n = 0; n < 5; n += 1) expect(await ask(user.id)).toBeNull();
    expect(await ask(user.id)).toMatchObject({ status: 429 });
    expect(await connect(user.id, "another-way")).toBe("connected");
    expect(await ask(user.id)).toMatchObject({ status: 429 });
    await confirm(user, freeAddress());
    expect(await ask(user.id)).toMatchObject({ status: 429 });
    await leave(user);
    expect(await ask(await comeByAddress(ownEmail))).toMatchObject({ status: 429 });
  });

  test("those asked for with both ways in count for each of them", async () => {
    const ownEmail = freeAddress();
    const user = await makeUser({ ownEmail });
    const spotifyId = await spotifyIdOf(user);
    for (let n = 0; n < 5; n += 1) expect(await ask(user.id)).toBeNull();
    await leave(user);
    expect(await ask(await comeByAddress(ownEmail))).toMatchObject({ status: 429 });
    expect(await ask(await comeBySpotify(spotifyId))).toMatchObject({ status: 429 });
    expect(await ask((await makeUser()).id)).toBeNull();
  });
});
