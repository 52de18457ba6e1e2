import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { confirmAddress, confirmationToken, forgetWaitingAddress } from "~/mailing/address.server";
import { readConfig } from "~/platform/env";
import { makeSong, makeUser, type TestUser, unique } from "../../support/database/factories";
import {
  addressOf,
  askToConfirm,
  deliver,
  failMails,
  letTimePass,
  mailRow,
  mailsTo,
  oweRating,
  postsTo,
} from "../../support/mails";

const db = createDatabase(env.DB);
const { sessionSecret } = readConfig(env);

function setEmail(user: TestUser, value: string | null) {
  return env.DB.prepare("UPDATE users SET email = ? WHERE id = ?").bind(value, user.id).run();
}

function freeAddress(): string {
  return `${unique("someone")}@elsewhere.example`;
}

describe("a mail goes to", () => {
  test("the user's own address rather than Spotify's", async () => {
    const ownEmail = freeAddress();
    const user = await makeUser({ ownEmail });
    const id = await oweRating(await makeSong(user));
    expect(await deliver([id])).toEqual(["done"]);
    expect(await mailsTo(ownEmail)).toHaveLength(1);
    expect(await mailsTo(addressOf(user))).toEqual([]);
  });

  test("nobody if there is no address: it is skipped", async () => {
    const user = await makeUser({ email: null });
    const id = await oweRating(await makeSong(user));
    expect(await deliver([id])).toEqual(["done"]);
    expect(await mailRow(id)).toMatchObject({ state: "skipped", fault: "no address" });
  });

  test("the new address, and not the old one, after the address has changed between two attempts", async () => {
    const user = await makeUser();
    const old = addressOf(user);
    const address = freeAddress();
    const id = await oweRating(await makeSong(user));
    await failMails(old, { status: 500 });
    await deliver([id]);
    expect(await mailRow(id)).toMatchObject({ to: old });
    const before = String((await mailRow(id)).text);
    await setEmail(user, address);
    await letTimePass();
    expect(await deliver([id])).toEqual(["done"]);
    expect(await mailsTo(old)).toEqual([]);
    const [mail, ...more] = await mailsTo(address);
    expect([mail?.to, more]).toEqual([[address], []]);
    // The unsubscribe link for the old address is not in it.
    const token = /token=(\S+)/.exec(before)?.[1] ?? "none";
    expect(JSON.stringify(mail)).not.toContain(token);
    const keys = [...(await postsTo(old)), ...(await postsTo(address))].map(
      ({ headers }) => headers["idempotency-key"],
    );
    expect(new Set(keys).size).toBe(2);
  });

  test("nobody after the address was removed between two attempts", async () => {
    const user = await makeUser();
    const id = await oweRating(await makeSong(user));
    await failMails(addressOf(user), { status: 500 });
    await deliver([id]);
    await setEmail(user, null);
    await letTimePass();
    expect(await deliver([id])).toEqual(["done"]);
    expect(await mailRow(id)).toMatchObject({ state: "skipped", to: null });
  });
});

describe("a confirmation", () => {
  async function ask(user: TestUser, address: string, now = Date.now()) {
    const id = await askToConfirm(user.id, address, now);
    const { subject_id } = await mailRow(id);
    return { id, token: await confirmationToken(sessionSecret, String(subject_id)) };
  }

  function confirm(token: string) {
    return confirmAddress(db, token, { secret: sessionSecret, now: Date.now() });
  }

  test("goes to the address to confirm, with the link, and no other mail goes there", async () => {
    const user = await makeUser();
    const address = freeAddress();
    const { id, token } = await ask(user, address);
    const rating = await oweRating(await makeSong(user));
    expect(await deliver([id, rating])).toEqual(["done", "done"]);
    const [mail, ...more] = await mailsTo(address);
    expect(more).toEqual([]);
    expect(mail?.text).toContain(`/confirm-email?token=${token}`);
    expect(mail?.headers).toEqual({
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "OOF, AutoReply",
    });
    const others = await mailsTo(addressOf(user));
    expect(others).toHaveLength(1);
    expect(JSON.stringify(others)).not.toContain(token);
    expect(await confirm(token)).toMatchObject({ address });
  });

  test("is sent to a user without an address, even if the user wants no mails", async () => {
    const user = await makeUser({ email: null, receiveRatingEmails: false });
    const address = freeAddress();
    const { id } = await ask(user, address);
    await deliver([id]);
    expect(await mailsTo(address)).toHaveLength(1);
  });

  test.each<{ when: string; change(user: TestUser, token: string): Promise<unknown> }>([
    {
      when: "a later one has replaced it",
      change: (user) => ask(user, freeAddress(), Date.now() + 1),
    },
    {
      when: "it was used",
      change: (_, token) => confirm(token),
    },
    {
      when: "the user has removed the address",
      change: (user) => forgetWaitingAddress(db, user.id, Date.now()),
    },
    {
      when: "it has expired",
      change: () => env.DB.prepare("UPDATE mailed_proofs SET expires_at = 1").run(),
    },
  ])("is not sent once $when", async ({ change }) => {
    const user = await makeUser();
    const address = freeAddress();
    const { id, token } = await ask(user, address);
    await change(user, token);
    expect(await deliver([id])).toEqual(["done"]);
    expect(await mailRow(id)).toMatchObject({ state: "skipped", fault: "superseded" });
    expect(await mailsTo(address)).toEqual([]);
  });
});
