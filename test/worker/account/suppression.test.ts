import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { purgeExpired } from "~/account/purge.server";
import { removeAddress } from "~/mailing/address.server";
import type { MailTopic } from "~/mailing/email-preferences";
import { unsubscribeToken } from "~/mailing/unsubscribe.server";
import { readConfig } from "~/platform/env";
import { gives, holds, leads, shows, tells, unchanged } from "../../support/answers";
import { makeSong, type TestUser, unique } from "../../support/database/factories";
import { change, db, rows } from "../../support/database/rows";
import {
  addressOf,
  askToConfirm,
  deliver,
  failMails,
  letTimePass,
  mailRow,
  mailsTo,
  owe,
  oweRating,
} from "../../support/mails";
import { someone } from "../../support/people";
import { browser, linkTo } from "../../support/people/logins";
import { freeAddress } from "../../support/ways-in";

const { sessionSecret } = readConfig(env);
const day = 24 * 60 * 60 * 1000;

/** Presses the unsubscribe link in a mail about a topic to an address. */
async function unsubscribe(address: string, topic: MailTopic = "rating"): Promise<void> {
  const token = await unsubscribeToken(sessionSecret, { topic, address });
  await gives(browser().posts(`/unsubscribe?token=${token}`, { receive: "false" }), 303);
}

/** Delivers a mail. @returns why it was not sent, or "sent". */
async function delivered(id: string): Promise<unknown> {
  await deliver([id]);
  const { state, fault } = await mailRow(id);
  return fault ?? state;
}

/** Rates a user's song and delivers the mail. */
async function rated(user: TestUser): Promise<unknown> {
  return delivered(await oweRating(await makeSong(user)));
}

async function confirm(address: string): Promise<void> {
  await gives(browser().presses(await linkTo(address)), 303);
}

test("an address that has unsubscribed gets no more mail of that kind, and still gets the others", async () => {
  const who = await someone({ tier: "past_due" });
  const payment = async () => delivered(await owe(who.id, "past_due"));
  expect(await rated(who)).toBe("sent");
  await unsubscribe(addressOf(who));
  expect([await rated(who), await payment()]).toEqual(["unsubscribed", "sent"]);
  expect(await mailsTo(addressOf(who))).toHaveLength(2);
  await unsubscribe(addressOf(who), "subscription");
  expect(await payment()).toBe("unsubscribed");
  const file = await (await who.posts("/account/export")).json<{ mail: object }>();
  expect(file.mail).toMatchObject({ unsubscribedFrom: ["rating", "subscription"] });
});

test("an address has unsubscribed from any account, in any spelling and under any tag", async () => {
  const name = unique("reader");
  await unsubscribe(`${name}+one@mail.example`);
  for (const [email, becomes] of [
    [`${name.toUpperCase()}@MAIL.example`, "unsubscribed"],
    [` ${name}@mail.example `, "unsubscribed"],
    [`${name}+two@mail.example`, "unsubscribed"],
    [`other.${name}@mail.example`, "sent"],
  ] as const) {
    expect([email, await rated(await someone({ email }))]).toEqual([email, becomes]);
  }
});

test("an address that has unsubscribed stays so, whatever the account switches on", async () => {
  const who = await someone({ receiveRatingEmails: false });
  await unsubscribe(addressOf(who));
  const prefers = (json: Record<string, boolean>) => who.sends("/email-preference", json);

  const error = expect.stringMatching(/^These e-mails to your address have ended\./);
  await tells(prefers({ receiveRatingEmails: true }), 409, { error });
  await change("emailPreferences", {}, { receiveRatingEmails: true });
  expect(await rated(who)).toBe("unsubscribed");
  // The other checkbox still works, and so does switching this one off.
  for (const live of [{ receiveSubscriptionEmails: true }, { receiveRatingEmails: false }]) {
    await gives(prefers(live), 200);
  }
});

test("an address that has unsubscribed stays so even if the account is deleted and created again", async () => {
  const who = await someone();
  const email = addressOf(who);
  await rated(who);
  await who.leaves();
  // The link in the earlier mail still works.
  await unsubscribe(email);
  const again = await someone({ email });
  expect(await rated(again)).toBe("unsubscribed");
  await again.leaves();
  expect(await rated(await someone({ email }))).toBe("unsubscribed");
  expect(await mailsTo(email)).toHaveLength(1);
});

test("an address that has unsubscribed does not get a mail that waits for another attempt", async () => {
  const who = await someone();
  const id = await oweRating(await makeSong(who));
  await failMails(addressOf(who), { status: 500 });
  await deliver([id]);
  await unsubscribe(addressOf(who));
  await letTimePass();
  await deliver([id]);
  expect(await mailRow(id)).toMatchObject({ state: "skipped", to: null, html: null });
});

test("no mail is sent while the database cannot say whether its address has unsubscribed", async () => {
  const who = await someone();
  await unsubscribe(addressOf(who));
  const id = await oweRating(await makeSong(who));
  await env.DB.prepare("ALTER TABLE mail_suppressions RENAME TO hidden").run();
  const outcome = await deliver([id]);
  await env.DB.prepare("ALTER TABLE hidden RENAME TO mail_suppressions").run();
  expect([outcome, await mailsTo(addressOf(who))]).toEqual([[expect.any(Number)], []]);
  await letTimePass();
  expect(await delivered(id)).toBe("unsubscribed");
});

test("an address has unsubscribed for as long as it is not confirmed, and only a fingerprint of it is kept", async () => {
  const who = await someone();
  await unsubscribe(addressOf(who));
  await purgeExpired(db, Date.now() + 4000 * day);
  const kept = await rows("mailSuppressions");
  const fingerprint = expect.stringMatching(/^[\w-]{43}$/);
  expect(kept).toEqual([{ fingerprint, topic: "rating", bouncedAt: null }]);
  expect(JSON.stringify(kept)).not.toContain(who.id);
});

test("mails come back when the address is confirmed by its own link, which the account page offers", async () => {
  const ownEmail = freeAddress();
  const who = await someone({ ownEmail });
  await unsubscribe(ownEmail);
  for (const screen of ["/account", "/ratings-of-my-songs"]) {
    const field = `<input type="hidden" name="address" value="${ownEmail}"/>`;
    const page = await shows(who, screen, "has unsubscribed from e-mails", field);
    expect(page).not.toContain('name="receiveRatingEmails"');
  }
  await leads(who.posts("/account/email", { address: ownEmail }), "/account");
  await shows(browser(), await linkTo(ownEmail), "has unsubscribed from our e-mails");
  expect(await rated(who)).toBe("unsubscribed");
  await confirm(ownEmail);
  expect([await rows("mailSuppressions"), await rated(who)]).toEqual([[], "sent"]);
  await shows(who, "/account", 'name="receiveRatingEmails"');
});

test("mails come back on the page of ratings as soon as they go to another address", async () => {
  const who = await someone();
  const expectEnded = async (ended: boolean) => {
    for (const _ of [1, 2]) {
      const page = await who.reads("/ratings-of-my-songs");
      expect(page.includes("has unsubscribed from e-mails")).toBe(ended);
    }
  };
  await unsubscribe(addressOf(who));
  await expectEnded(true);
  const own = freeAddress();
  await askToConfirm(who.id, own);
  await confirm(own);
  await expectEnded(false);
  await unsubscribe(own);
  await expectEnded(true);
  await removeAddress(db, who.id, Date.now());
  await expectEnded(true);
});

test("what the page of ratings knows of an address is forgotten by a new login, as the secret may be another", async () => {
  const it = browser();
  await it.logsIn("mara-lind");
  await it.reads("/ratings-of-my-songs");
  const addressFingerprint = expect.stringMatching(/^[\w-]{43}$/);
  await holds("users", { addressFingerprint });
  await it.logsIn("mara-lind");
  await holds("users", { addressFingerprint: null });
});

test("mails come back to the address from Spotify, whose link works once", async () => {
  const who = await someone();
  await unsubscribe(addressOf(who));
  await askToConfirm(who.id, addressOf(who));
  const link = await linkTo(addressOf(who));
  await confirm(addressOf(who));
  expect(await rated(who)).toBe("sent");
  await unsubscribe(addressOf(who));
  await unchanged(async () => {
    await gives(browser().presses(link), 403);
    await gives(browser().gets(link), 403);
  });
});

test("mails do not come back when another address is confirmed, or when the link is only requested", async () => {
  const who = await someone();
  const other = freeAddress();
  await unsubscribe(addressOf(who));
  await askToConfirm(who.id, addressOf(who));
  await askToConfirm(who.id, other, Date.now() + 1);
  await confirm(other);
  await change("users", {}, { ownEmail: null });
  await change("mailedProofs", {}, { usedAt: null });
  expect(await rated(who)).toBe("unsubscribed");
});
