import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { purgeExpired } from "~/account/purge.server";
import { createDatabase } from "~/db/client.server";
import { confirmationToken, removeAddress } from "~/mailing/address.server";
import type { MailTopic } from "~/mailing/email-preferences";
import { unsubscribeToken } from "~/mailing/unsubscribe.server";
import { readConfig } from "~/platform/env";
import { contents, rowsOf } from "../../support/database/contents";
import { makeSong, makeUser, type TestUser, unique } from "../../support/database/factories";
import { makeMember, makeSession } from "../../support/login";
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
import { request } from "../../support/request";
import { cookieOf, logIn } from "../session/login-flow";

const { sessionSecret } = readConfig(env);
const day = 24 * 60 * 60 * 1000;

/** Presses the unsubscribe link in a mail about a topic to an address. */
async function unsubscribe(address: string, topic: MailTopic = "rating"): Promise<Response> {
  const token = await unsubscribeToken(sessionSecret, { topic, address });
  return request(`/unsubscribe?token=${token}`, { form: { receive: "false" } });
}

/** Rates a user's song and delivers the mail. @returns why it was not sent, or "sent". */
async function rated(user: TestUser): Promise<unknown> {
  const id = await oweRating(await makeSong(user));
  await deliver([id]);
  const { state, fault } = await mailRow(id);
  return fault ?? state;
}

/** The path of the last confirmation link that was mailed to an address. */
async function confirmationLink(address: string): Promise<string> {
  const [last] = (await rowsOf(
    "SELECT id FROM mailed_proofs WHERE address = ? ORDER BY created_at DESC",
    address,
  )) as { id: string }[];
  return `/confirm-email?token=${await confirmationToken(sessionSecret, last?.id ?? "")}`;
}

function confirm(link: string): Promise<Response> {
  return request(link, { form: { x: "" } });
}

describe("an address that has unsubscribed gets no more mail of that kind", () => {
  test("and still gets the others", async () => {
    const user = await makeUser({ tier: "past_due" });
    expect(await rated(user)).toBe("sent");
    expect((await unsubscribe(addressOf(user))).status).toBe(303);
    expect(await rated(user)).toBe("unsubscribed");
    const payment = await owe(user.id, "past_due");
    await deliver([payment]);
    expect(await mailRow(payment)).toMatchObject({ state: "sent" });
    expect(await mailsTo(addressOf(user))).toHaveLength(2);
    await unsubscribe(addressOf(user), "subscription");
    const next = await owe(user.id, "past_due");
    await deliver([next]);
    expect(await mailRow(next)).toMatchObject({ state: "skipped", fault: "unsubscribed" });
  });

  test("under whatever tag it was unsubscribed, and to whatever account it is told", async () => {
    const user = await makeUser();
    await unsubscribe(addressOf(user).replace("@", "+one@"));
    const other = await makeUser({ email: addressOf(user).replace("@", "+two@") });
    expect([await rated(user), await rated(other)]).toEqual(["unsubscribed", "unsubscribed"]);
  });

  test("whatever the account switches on", async () => {
    const { user, cookie } = await makeMember({ receiveRatingEmails: false });
    await unsubscribe(addressOf(user));
    const json = { receiveRatingEmails: true };
    const answer = await request("/email-preference", { cookie, json });
    expect([answer.status, await answer.json()]).toEqual([
      409,
      { error: expect.stringMatching(/^These e-mails to your address have ended\./) },
    ]);
    await env.DB.prepare("UPDATE email_preferences SET receive_rating_emails = 1").run();
    expect(await rated(user)).toBe("unsubscribed");
    // The other checkbox still works, and so does switching this one off.
    for (const live of [{ receiveSubscriptionEmails: true }, { receiveRatingEmails: false }]) {
      expect((await request("/email-preference", { cookie, json: live })).status).toBe(200);
    }
  });

  test("even if the account is deleted and created again", async () => {
    const user = await makeUser();
    const address = addressOf(user);
    await rated(user);
    await request("/account/delete", { cookie: (await makeSession(user)).cookie, json: {} });
    // The link in the earlier mail still works.
    expect((await unsubscribe(address)).status).toBe(303);
    const again = await makeUser({ email: address });
    expect(await rated(again)).toBe("unsubscribed");
    await request("/account/delete", { cookie: (await makeSession(again)).cookie, json: {} });
    expect(await rated(await makeUser({ email: address }))).toBe("unsubscribed");
    expect(await mailsTo(address)).toHaveLength(1);
  });

  test("from any account, in any spelling", async () => {
    const name = unique("reader");
    await unsubscribe(`${name}@mail.example`);
    for (const email of [`${name.toUpperCase()}@MAIL.example`, ` ${name}@mail.example `]) {
      expect(await rated(await makeUser({ email }))).toBe("unsubscribed");
    }
    expect(await rated(await makeUser({ email: `other.${name}@mail.example` }))).toBe("sent");
  });

  test("not even a mail that waits for another attempt", async () => {
    const user = await makeUser();
    const id = await oweRating(await makeSong(user));
    await failMails(addressOf(user), { status: 500 });
    await deliver([id]);
    await unsubscribe(addressOf(user));
    await letTimePass();
    await deliver([id]);
    expect(await mailRow(id)).toMatchObject({ state: "skipped", to: null, html: null });
  });

  test("nor any mail while the database cannot say whether it has unsubscribed", async () => {
    const user = await makeUser();
    await unsubscribe(addressOf(user));
    const id = await oweRating(await makeSong(user));
    await env.DB.prepare("ALTER TABLE mail_suppressions RENAME TO hidden").run();
    const outcome = await deliver([id]);
    await env.DB.prepare("ALTER TABLE hidden RENAME TO mail_suppressions").run();
    expect(outcome).toEqual([expect.any(Number)]);
    expect(await mailsTo(addressOf(user))).toEqual([]);
    await letTimePass();
    await deliver([id]);
    expect(await mailRow(id)).toMatchObject({ state: "skipped", fault: "unsubscribed" });
  });

  test("for as long as it is not confirmed, and only a fingerprint of it is kept", async () => {
    const user = await makeUser();
    await unsubscribe(addressOf(user));
    await purgeExpired(createDatabase(env.DB), Date.now() + 4000 * day);
    const rows = await rowsOf("SELECT * FROM mail_suppressions");
    expect(rows).toEqual([
      { fingerprint: expect.stringMatching(/^[\w-]{43}$/), topic: "rating", bounced_at: null },
    ]);
    expect(JSON.stringify(rows)).not.toContain(user.id);
  });
});

describe("mails come back", () => {
  test("when the address is confirmed by its own link, which the account page offers", async () => {
    const ownEmail = `${unique("own")}@mail.example`;
    const { user, cookie } = await makeMember({ ownEmail });
    await unsubscribe(ownEmail);
    for (const screen of ["/account", "/ratings-of-my-songs"]) {
      const page = await (await request(screen, { cookie })).text();
      expect(page).toContain("has unsubscribed from e-mails");
      expect(page).toContain(`<input type="hidden" name="address" value="${ownEmail}"/>`);
      expect(page).not.toContain('name="receiveRatingEmails"');
    }
    const asked = await request("/account/email", { cookie, form: { address: ownEmail } });
    expect([asked.status, asked.headers.get("Location")]).toEqual([303, "/account"]);
    expect(await rated(user)).toBe("unsubscribed");

    const link = await confirmationLink(ownEmail);
    expect(await (await request(link)).text()).toContain("has unsubscribed from our e-mails");
    expect(await rated(user)).toBe("unsubscribed");
    expect((await confirm(link)).status).toBe(303);
    expect(await rowsOf("SELECT * FROM mail_suppressions")).toEqual([]);
    expect(await rated(user)).toBe("sent");
    const page = await (await request("/account", { cookie })).text();
    expect(page).toContain('name="receiveRatingEmails"');
  });

  test("on the page of ratings as soon as mails go to another address", async () => {
    const { user, cookie } = await makeMember();
    const hasEnded = async () => {
      const page = await (await request("/ratings-of-my-songs", { cookie })).text();
      return page.includes("has unsubscribed from e-mails");
    };
    await unsubscribe(addressOf(user));
    expect([await hasEnded(), await hasEnded()]).toEqual([true, true]);
    const own = `${unique("own")}@mail.example`;
    await askToConfirm(user.id, own);
    await confirm(await confirmationLink(own));
    expect([await hasEnded(), await hasEnded()]).toEqual([false, false]);
    await unsubscribe(own);
    expect(await hasEnded()).toBe(true);
    await removeAddress(createDatabase(env.DB), user.id, Date.now());
    expect([await hasEnded(), await hasEnded()]).toEqual([true, true]);
  });

  test("on the page of ratings at a new login, after the secret was changed", async () => {
    const kept = () => rowsOf("SELECT address_fingerprint FROM users");
    const cookie = cookieOf(await logIn("mara-lind"), "__Host-session");
    await request("/ratings-of-my-songs", { cookie });
    const fingerprint = expect.stringMatching(/^[\w-]{43}$/);
    expect(await kept()).toEqual([{ address_fingerprint: fingerprint }]);
    await logIn("mara-lind");
    expect(await kept()).toEqual([{ address_fingerprint: null }]);
  });

  test("also to the address from Spotify, which the link confirms", async () => {
    const user = await makeUser();
    await unsubscribe(addressOf(user));
    await askToConfirm(user.id, addressOf(user));
    await confirm(await confirmationLink(addressOf(user)));
    expect(await rated(user)).toBe("sent");
  });

  test("not when another address is confirmed, or when the link is only requested", async () => {
    const user = await makeUser();
    const other = `${unique("other")}@mail.example`;
    await unsubscribe(addressOf(user));
    await askToConfirm(user.id, addressOf(user));
    await askToConfirm(user.id, other, Date.now() + 1);
    await confirm(await confirmationLink(other));
    await env.DB.prepare("UPDATE users SET own_email = NULL").run();
    await env.DB.prepare("UPDATE mailed_proofs SET used_at = NULL").run();
    expect(await rated(user)).toBe("unsubscribed");
  });

  test("not when the link was used before", async () => {
    const user = await makeUser();
    await askToConfirm(user.id, addressOf(user));
    const link = await confirmationLink(addressOf(user));
    expect((await confirm(link)).status).toBe(303);
    await unsubscribe(addressOf(user));
    const before = await contents();
    expect((await confirm(link)).status).toBe(403);
    expect((await request(link)).status).toBe(403);
    expect(await contents()).toEqual(before);
  });
});

test("the export says what the address has unsubscribed from", async () => {
  const { user, cookie } = await makeMember();
  await unsubscribe(addressOf(user), "subscription");
  const answer = await request("/account/export", { cookie, form: {} });
  const { mail } = await answer.json<{ mail: unknown }>();
  expect(mail).toMatchObject({ unsubscribedFrom: ["subscription"] });
});
