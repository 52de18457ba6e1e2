import { env, exports } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { confirmationToken } from "~/domain/contact/address.server";
import type { MailTopic } from "~/domain/contact/email-preferences";
import { unsubscribeToken } from "~/domain/contact/unsubscribe.server";
import { readConfig } from "~/platform/env";
import { contents, rowsOf } from "../../support/database/contents";
import { makeUser, type TestUser } from "../../support/database/factories";
import { request } from "../../support/request";

const { sessionSecret } = readConfig(env);

/** The unsubscribe link in a mail to a user. */
async function linkOf(
  user: TestUser,
  topic: MailTopic = "rating",
  address = `${user.id}@musicians.example`,
) {
  const token = await unsubscribeToken(sessionSecret, { userId: user.id, topic, address });
  return `/unsubscribe?token=${token}`;
}

async function preferencesOf({ id }: TestUser): Promise<unknown> {
  const [row] = await rowsOf(
    `SELECT receive_rating_emails AS rating, receive_subscription_emails AS subscription
     FROM email_preferences WHERE user_id = ?`,
    id,
  );
  return row;
}

/** A mail client's one-click request (RFC 8058), without cookies. */
function oneClick(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return exports.default.fetch(
    new Request(new URL(path, env.APP_ORIGIN), {
      method: "POST",
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
      headers,
      redirect: "manual",
    }),
  );
}

describe("the link in a mail", () => {
  test.each(["GET", "HEAD"])("changes nothing by %s", async (method) => {
    const link = await linkOf(await makeUser());
    const before = await contents();
    const answer = await request(link, { method });
    expect(answer.status).toBe(200);
    if (method === "GET") {
      const page = await answer.text();
      expect(page).toContain("<h1>Unsubscribe</h1>");
      expect(page).not.toContain("<script");
    }
    expect(await contents()).toEqual(before);
  });

  test("switches the mails off and on by its form, without a login", async () => {
    const user = await makeUser();
    const link = await linkOf(user);
    const off = await request(link, { form: { receive: "false" } });
    expect([off.status, off.headers.get("Location")]).toEqual([303, link]);
    expect(await preferencesOf(user)).toEqual({ rating: 0, subscription: 1 });
    expect(await (await request(link)).text()).toContain("<h1>You are unsubscribed</h1>");
    await request(link, { form: { receive: "true" } });
    expect(await preferencesOf(user)).toEqual({ rating: 1, subscription: 1 });
  });

  test("can be used twice", async () => {
    const user = await makeUser();
    const link = await linkOf(user);
    await request(link, { form: { receive: "false" } });
    const before = await contents("email_preferences");
    expect((await request(link, { form: { receive: "false" } })).status).toBe(303);
    expect(await contents("email_preferences")).toEqual(before);
  });

  test("for one topic does not change the other", async () => {
    const user = await makeUser({ receiveRatingEmails: false });
    await request(await linkOf(user, "subscription"), { form: { receive: "false" } });
    expect(await preferencesOf(user)).toEqual({ rating: 0, subscription: 0 });
    await request(await linkOf(user, "subscription"), { form: { receive: "true" } });
    expect(await preferencesOf(user)).toEqual({ rating: 0, subscription: 1 });
  });
});

describe("the one-click button of a mail client", () => {
  test.each([{}, { Origin: "https://mail.example" }])("ends the mails (%j)", async (headers) => {
    const user = await makeUser();
    expect((await oneClick(await linkOf(user), headers)).status).toBe(200);
    expect(await preferencesOf(user)).toEqual({ rating: 0, subscription: 1 });
  });

  test("may send a multipart body", async () => {
    const user = await makeUser();
    const body = new FormData();
    body.set("List-Unsubscribe", "One-Click");
    const headers = { Accept: "*/*" };
    expect((await request(await linkOf(user), { body, headers })).status).toBe(200);
    expect(await preferencesOf(user)).toEqual({ rating: 0, subscription: 1 });
  });
});

describe("refused without any change is", () => {
  test("a link that was altered anywhere", async () => {
    const user = await makeUser();
    const link = await linkOf(user);
    const before = await contents();
    const start = link.indexOf("=") + 1;
    for (let at = start; at < link.length; at += 7) {
      const altered = `${link.slice(0, at)}${link[at] === "A" ? "B" : "A"}${link.slice(at + 1)}`;
      expect([altered, (await oneClick(altered)).status]).toEqual([altered, 403]);
      expect((await request(altered)).status).toBe(403);
    }
    expect(await contents()).toEqual(before);
  });

  test("a signature for another user, topic or purpose", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const signature = (await linkOf(other)).split(".").at(-1) ?? "";
    const confirmation = (await confirmationToken(sessionSecret, user.id)).split(".").at(-1) ?? "";
    const ofSubscription = (await linkOf(user, "subscription")).split(".").at(-1) ?? "";
    const before = await contents();
    for (const one of [signature, confirmation, ofSubscription]) {
      const answer = await oneClick(`/unsubscribe?token=rating.${user.id}.${one}`);
      expect(answer.status).toBe(403);
    }
    expect(await contents()).toEqual(before);
  });

  test("a link mailed to an address that mails no longer go to", async () => {
    const user = await makeUser({ ownEmail: "new@own.example" });
    const before = await contents();
    expect((await oneClick(await linkOf(user))).status).toBe(403);
    expect(await contents()).toEqual(before);
    expect((await oneClick(await linkOf(user, "rating", "NEW@own.example"))).status).toBe(200);
  });

  test.each(["", "x", "rating", "rating.", "rating..", "a.b.c", "rating.x.%F0%9F%8E%B5", "%00"])(
    "an invalid token (%s), with an explanation",
    async (token) => {
      const answer = await request(`/unsubscribe?token=${token}`);
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain("This link does not work");
    },
  );

  test("a form without a choice", async () => {
    const user = await makeUser();
    const link = await linkOf(user);
    const before = await contents();
    for (const form of [{}, { receive: "maybe" }, { "List-Unsubscribe": "no" }]) {
      expect((await request(link, { form: { x: "", ...form } })).status).toBe(422);
    }
    expect(await contents()).toEqual(before);
  });
});
