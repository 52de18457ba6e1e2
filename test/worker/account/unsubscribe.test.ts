import { env, exports } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { confirmationToken } from "~/mailing/address.server";
import type { MailTopic } from "~/mailing/email-preferences";
import { unsubscribe, unsubscribeToken } from "~/mailing/unsubscribe.server";
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
  const token = await unsubscribeToken(sessionSecret, { topic, address });
  return `/unsubscribe?token=${token}`;
}

/** The topics that addresses have unsubscribed from. */
async function ended(): Promise<unknown[]> {
  const rows = (await rowsOf("SELECT topic FROM mail_suppressions ORDER BY topic")) as {
    topic: MailTopic;
  }[];
  return rows.map(({ topic }) => topic);
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
  test.each(["GET", "HEAD"])("changes nothing on %s", async (method) => {
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

  test("ends the mails when its form is sent, without a login", async () => {
    const user = await makeUser();
    const link = await linkOf(user);
    const off = await request(link, { form: { receive: "false" } });
    expect([off.status, off.headers.get("Location")]).toEqual([303, link]);
    expect(await ended()).toEqual(["rating"]);
    expect(await (await request(link)).text()).toContain("<h1>You are unsubscribed</h1>");
  });

  test("cannot switch mails on again, because mails are forwarded with their links", async () => {
    const link = await linkOf(await makeUser());
    await request(link, { form: { receive: "false" } });
    expect((await request(link, { form: { receive: "true" } })).status).toBe(422);
    expect(await ended()).toEqual(["rating"]);
  });

  test("can be used twice", async () => {
    const user = await makeUser();
    const link = await linkOf(user);
    await request(link, { form: { receive: "false" } });
    const before = await contents();
    expect((await request(link, { form: { receive: "false" } })).status).toBe(303);
    expect(await contents()).toEqual(before);
  });

  // As it was mailed, so that nothing in the code can change with it.
  test("works as long as the secret stays", async () => {
    await makeUser({ email: "ada@mail.example" });
    const token =
      "rating._1RxhvALYdtWOdEaBU5U7zA4ZOomNqHj1AB5_qZazMk.u3TVamwVcR2B2FnTlO3RFj77NqqCqXbwahbThAEHxOY";
    const db = createDatabase(env.DB);
    expect(await unsubscribe(db, token, "The secret under which links were mailed")).toBe(true);
    expect(await ended()).toEqual(["rating"]);
  });

  test("for one topic changes neither the other topic nor the account's preferences", async () => {
    const user = await makeUser({ receiveRatingEmails: true });
    const before = await contents("email_preferences");
    await request(await linkOf(user, "subscription"), { form: { receive: "false" } });
    expect(await ended()).toEqual(["subscription"]);
    expect(await contents("email_preferences")).toEqual(before);
  });
});

describe("the one-click button of a mail client", () => {
  test.each([{}, { Origin: "https://mail.example" }])("ends the mails (%j)", async (headers) => {
    const user = await makeUser();
    expect((await oneClick(await linkOf(user), headers)).status).toBe(200);
    expect(await ended()).toEqual(["rating"]);
  });

  test("may send a multipart body", async () => {
    const user = await makeUser();
    const body = new FormData();
    body.set("List-Unsubscribe", "One-Click");
    const headers = { Accept: "*/*" };
    expect((await request(await linkOf(user), { body, headers })).status).toBe(200);
    expect(await ended()).toEqual(["rating"]);
  });
});

describe("refused without any change is", () => {
  test("a link that was altered", async () => {
    const altered = `${await linkOf(await makeUser())}x`;
    const before = await contents();
    expect((await oneClick(altered)).status).toBe(403);
    expect((await request(altered)).status).toBe(403);
    expect(await contents()).toEqual(before);
  });

  test("a signature for another address, topic or purpose", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const [, fingerprint = ""] = (await linkOf(user)).split(".");
    const signature = (await linkOf(other)).split(".").at(-1) ?? "";
    const confirmation = (await confirmationToken(sessionSecret, `rating.${fingerprint}`))
      .split(".")
      .at(-1);
    const ofSubscription = (await linkOf(user, "subscription")).split(".").at(-1) ?? "";
    const before = await contents();
    for (const one of [signature, confirmation, ofSubscription]) {
      const answer = await oneClick(`/unsubscribe?token=rating.${fingerprint}.${one}`);
      expect(answer.status).toBe(403);
    }
    expect(await contents()).toEqual(before);
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
