import { env, exports } from "cloudflare:workers";
import { expect, test } from "vitest";
import { confirmationToken } from "~/mailing/address.server";
import type { MailTopic } from "~/mailing/email-preferences";
import { unsubscribe, unsubscribeToken } from "~/mailing/unsubscribe.server";
import { readConfig } from "~/platform/env";
import { counts, gives, leads, says, shows, unchanged } from "../../support/answers";
import { makeUser, unique } from "../../support/database/factories";
import { db, rows } from "../../support/database/rows";
import { browser } from "../../support/people/logins";

const { sessionSecret } = readConfig(env);

/** The unsubscribe link in a mail to somebody. */
async function linkOf(topic: MailTopic = "rating", address = `${unique("user")}@mail.example`) {
  return `/unsubscribe?token=${await unsubscribeToken(sessionSecret, { topic, address })}`;
}

/** The topics that addresses have unsubscribed from. */
const ended = async () => (await rows("mailSuppressions")).map(({ topic }) => topic);
const press = (link: string, receive = "false") => browser().posts(link, { receive });

/** A mail client's one-click request (RFC 8058), without cookies. */
function oneClick(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  const asked = { method: "POST", body, headers, redirect: "manual" } as const;
  return exports.default.fetch(new Request(new URL(path, env.APP_ORIGIN), asked));
}

test.each(["GET", "HEAD"])("the link to unsubscribe changes nothing on %s", async (method) => {
  const link = await linkOf();
  const answer = await unchanged(() => browser().gets(link, { method }));
  expect(answer.status).toBe(200);
  const page = await answer.text();
  expect(page.includes("<h1>Unsubscribe</h1>")).toBe(method === "GET");
  expect(page).not.toContain("<script");
});

test("the link to unsubscribe ends the mails when its form is sent, also twice, and cannot switch them on again", async () => {
  const link = await linkOf();
  await leads(press(link), link);
  expect(await ended()).toEqual(["rating"]);
  await shows(browser(), link, "<h1>You are unsubscribed</h1>");
  await unchanged(async () => {
    await leads(press(link), link);
    // Mails are forwarded with their links.
    await gives(press(link, "true"), 422);
  });
});

// As it was mailed, so that nothing in the code can change with it.
test("a link to unsubscribe works as long as the secret stays", async () => {
  await makeUser({ email: "ada@mail.example" });
  const token =
    "rating._1RxhvALYdtWOdEaBU5U7zA4ZOomNqHj1AB5_qZazMk.u3TVamwVcR2B2FnTlO3RFj77NqqCqXbwahbThAEHxOY";
  expect(await unsubscribe(db, token, "The secret under which links were mailed")).toBe(true);
  expect(await ended()).toEqual(["rating"]);
});

test("unsubscribing from one topic changes neither the other topic nor the account's preferences", async () => {
  const { id } = await makeUser({ receiveRatingEmails: true });
  await press(await linkOf("subscription", `${id}@musicians.example`));
  expect(await ended()).toEqual(["subscription"]);
  await counts("emailPreferences", 1, { receiveRatingEmails: true });
});

test.each([{}, { Origin: "https://mail.example" }])(
  "the one-click button of a mail client ends the mails (%j)",
  async (headers) => {
    await gives(oneClick(await linkOf(), headers), 200);
    expect(await ended()).toEqual(["rating"]);
  },
);

test("the one-click button of a mail client may send a multipart body", async () => {
  const body = new FormData();
  body.set("List-Unsubscribe", "One-Click");
  const asked = { body, headers: { Accept: "*/*" } };
  await gives(browser().gets(await linkOf(), asked), 200);
  expect(await ended()).toEqual(["rating"]);
});

test("a link to unsubscribe that was altered anywhere is refused", async () => {
  const link = await linkOf();
  await unchanged(async () => {
    for (let at = link.indexOf("=") + 1; at < link.length; at += 7) {
      const altered = `${link.slice(0, at)}${link[at] === "A" ? "B" : "A"}${link.slice(at + 1)}`;
      expect([altered, (await oneClick(altered)).status]).toEqual([altered, 403]);
      await gives(browser().gets(altered), 403);
    }
    expect((await oneClick(`${link}.more`)).status).toBe(403);
  });
});

test("a signature for another address, topic or purpose is refused", async () => {
  const address = "ada@mail.example";
  const [, fingerprint = ""] = (await linkOf("rating", address)).split(".");
  const foreign = [
    await linkOf(),
    await confirmationToken(sessionSecret, fingerprint),
    await linkOf("subscription", address),
  ];
  await unchanged(async () => {
    for (const signed of foreign) {
      const token = `rating.${fingerprint}.${signed.split(".").at(-1)}`;
      await gives(oneClick(`/unsubscribe?token=${token}`), 403);
    }
  });
});

test.each(["", "x", "rating", "rating.", "rating..", "a.b.c", "rating.x.%F0%9F%8E%B5", "%00"])(
  "the invalid token %j to unsubscribe is refused with an explanation",
  async (token) => {
    await says(browser().gets(`/unsubscribe?token=${token}`), 403, "This link does not work");
  },
);

test.each([{}, { receive: "maybe" }, { "List-Unsubscribe": "no" }])(
  "a form to unsubscribe without a choice (%j) is refused",
  async (form) => {
    const link = await linkOf();
    await unchanged(async () => {
      await gives(browser().posts(link, { x: "", ...form }), 422);
    });
  },
);
