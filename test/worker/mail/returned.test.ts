/** Mails that came back or were reported as spam, of which Resend tells by its webhook. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { purgeExpired } from "~/account/purge.server";
import { createDatabase } from "~/db/client.server";
import { retentionDays } from "~/db/periods";
import { confirmationToken } from "~/mailing/address.server";
import { readConfig } from "~/platform/env";
import { contents, rowsOf, whileWritesFail } from "../../support/database/contents";
import { makeSong, makeUser, type TestUser, unique } from "../../support/database/factories";
import { makeMember } from "../../support/login";
import {
  addressOf,
  askToConfirm,
  deliver,
  mailEvent,
  mailRow,
  mailsTo,
  owe,
  oweRating,
  postMailEvent,
  type SignedEvent,
} from "../../support/mails";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";

const { sessionSecret } = readConfig(env);
const day = 24 * 60 * 60 * 1000;

/** Rates a user's song and delivers the mail. @returns why it was not sent, or "sent". */
async function rated(user: TestUser, bindings: Record<string, unknown> = {}): Promise<unknown> {
  const id = await oweRating(await makeSong(user));
  await deliver([id], bindings);
  const { state, fault } = await mailRow(id);
  return fault ?? state;
}

/** Something happens to the last mail to an address, and the webhook hears of it. */
async function happens(to: string, ...event: [type: string, more?: object]): Promise<Response> {
  return postMailEvent(await mailEvent(to, ...event));
}

async function confirm(address: string): Promise<Response> {
  const last = "SELECT id FROM mailed_proofs WHERE address = ? ORDER BY created_at DESC";
  const id = await env.DB.prepare(last).bind(address).first<string>("id");
  const token = await confirmationToken(sessionSecret, id ?? "");
  return request(`/confirm-email?token=${token}`, { form: { x: "" } });
}

function suppressions(): Promise<unknown[]> {
  return rowsOf("SELECT topic FROM mail_suppressions ORDER BY topic");
}

async function textOf(path: string, cookie: string): Promise<string> {
  return (await (await request(path, { cookie })).text()).replaceAll("<!-- -->", "");
}

describe.each([
  ["email.bounced", "bounced", "came back, so we send no more there"],
  ["email.suppressed", "bounced", "came back, so we send no more there"],
  ["email.complained", "complained", "was reported as spam, so we send no more there"],
])("after %s", (type, why, told) => {
  test("no mail of any kind goes to the address, from no account", async () => {
    const user = await makeUser({ tier: "past_due" });
    expect(await rated(user)).toBe("sent");
    const answer = await happens(addressOf(user), type);
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
    expect(await suppressions()).toEqual([{ topic: why }]);
    expect(await rated(user)).toBe(why);
    expect(await rated(await makeUser({ email: addressOf(user).toUpperCase() }))).toBe(why);
    for (const kind of ["past_due", "decision"] as const) {
      const id = await owe(user.id, kind);
      await deliver([id]);
      expect(await mailRow(id)).toMatchObject({ state: "skipped", fault: why });
    }
    expect(await rated(await makeUser())).toBe("sent");
  });

  test("the pages say so, and offer what to do", async () => {
    const { user, cookie } = await makeMember();
    await rated(user);
    await happens(addressOf(user), type);
    for (const path of ["/account", "/ratings-of-my-songs"]) {
      const page = await textOf(path, cookie);
      expect(page).toContain(told);
      expect(page).toContain('href="/account#address"');
      expect(page).not.toContain('name="receiveRatingEmails"');
      expect(page).not.toContain("has unsubscribed");
    }
    const json = { receiveRatingEmails: true };
    expect((await request("/email-preference", { cookie, json })).status).toBe(409);
    const exported = await request("/account/export", { cookie, form: {} });
    expect((await exported.json<{ mail: unknown }>()).mail).toMatchObject({
      returned: why,
      unsubscribedFrom: [],
    });
  });

  test("mails come back once the address is confirmed again, and not because an old event comes late", async () => {
    const { user, cookie } = await makeMember();
    const address = addressOf(user);
    await rated(user);
    const before = await mailEvent(address, type, { at: Date.now() - 1000 });
    await postMailEvent(before);
    await control("mailAllow", { to: address });
    expect((await request("/account/email", { cookie, form: { address } })).status).toBe(303);
    expect((await confirm(address)).status).toBe(303);
    expect(await suppressions()).toEqual([]);
    // The same again, under a new signature, as Resend sends what was not answered.
    const late = await control<SignedEvent>("mailSign", { payload: before.payload });
    expect((await postMailEvent(late)).status).toBe(200);
    expect(await suppressions()).toEqual([]);
    expect(await rated(user)).toBe("sent");
    expect((await happens(address, type, { at: Date.now() + 1000 })).status).toBe(200);
    expect(await rated(user)).toBe(why);
  });

  test("an event that comes twice, or after a later one, changes nothing more", async () => {
    const user = await makeUser();
    await rated(user);
    const earlier = await mailEvent(addressOf(user), type, { at: Date.now() - 60_000 });
    const event = await mailEvent(addressOf(user), type);
    await postMailEvent(event);
    const once = await rowsOf("SELECT * FROM mail_suppressions");
    for (const again of [event, earlier, event]) {
      expect((await postMailEvent(again)).status).toBe(200);
    }
    expect(await rowsOf("SELECT * FROM mail_suppressions")).toEqual(once);
  });
});

describe("nothing changes after", () => {
  test.each<[string, { bounce?: string }]>([
    ["email.bounced", { bounce: "Transient" }],
    ["email.bounced", { bounce: "Undetermined" }],
    ["email.delivered", {}],
    ["email.delivery_delayed", {}],
    ["email.failed", {}],
  ])("%s %j", async (type, more) => {
    const user = await makeUser();
    await rated(user);
    expect((await happens(addressOf(user), type, more)).status).toBe(200);
    expect(await suppressions()).toEqual([]);
    expect(await rated(user)).toBe("sent");
  });

  test("a mail with a copy came back: nobody can say whose it was", async () => {
    const user = await makeUser();
    const copied = { MAIL_BCC: "copies@fivefold.example" };
    expect(await rated(user, copied)).toBe("sent");
    expect((await happens(addressOf(user), "email.bounced")).status).toBe(200);
    expect(await suppressions()).toEqual([]);
  });

  test.each<[string, object]>([
    ["another sender's mail came back", { from: "News <news@elsewhere.example>" }],
    ["a mail to two came back", { to: ["a@mail.example", "b@mail.example"] }],
    ["a mail to nobody came back", { to: [] }],
    ["an event in another form", { to: "a@mail.example" }],
  ])("%s", async (_what, data) => {
    const user = await makeUser();
    await rated(user);
    const { payload } = await mailEvent(addressOf(user), "email.bounced");
    const event = JSON.parse(payload);
    const changed = JSON.stringify({ ...event, data: { ...event.data, ...data } });
    const signed = await control<SignedEvent>("mailSign", { payload: changed });
    expect((await postMailEvent(signed)).status).toBe(200);
    expect(await suppressions()).toEqual([]);
  });

  test.each(["", "null", "[]", "{}", "no JSON", '{"type":"email.bounced"}', "\0"])(
    "the signed body %j",
    async (payload) => {
      const signed = await control<SignedEvent>("mailSign", { payload });
      expect((await postMailEvent(signed)).status).toBe(200);
      expect(await suppressions()).toEqual([]);
    },
  );
});

test("an address that is nobody's here is harmless", async () => {
  const { user, cookie } = await makeMember();
  await rated(user);
  await request("/account/delete", { cookie, json: {} });
  expect((await happens(addressOf(user), "email.complained")).status).toBe(200);
  expect(await rated(await makeUser({ email: addressOf(user) }))).toBe("complained");
});

test("the page says that the link to a new address came back, until another one is sent", async () => {
  const { user, cookie } = await makeMember();
  const mistyped = `${unique("mistyped")}@mail.example`;
  await deliver([await askToConfirm(user.id, mistyped)]);
  expect(await textOf("/account", cookie)).toContain("We have sent a link to");
  await happens(mistyped, "email.bounced");
  const page = await textOf("/account", cookie);
  expect(page).toContain(`Our e-mail to <bdi>${mistyped}</bdi> came back`);
  expect(page).not.toContain("We have sent a link to");
  // Mails to the old address go on.
  expect(page).toContain('name="receiveRatingEmails"');
  expect(await rated(user)).toBe("sent");
  await askToConfirm(user.id, `${unique("right")}@mail.example`, Date.now() + 1);
  expect(await textOf("/account", cookie)).toContain("We have sent a link to");
});

test("who asks for links to an address that sends them back stays within the limits", async () => {
  const { user, cookie } = await makeMember();
  const address = addressOf(user);
  await rated(user);
  await happens(address, "email.bounced");
  const asked: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    asked.push((await request("/account/email", { cookie, form: { address } })).status);
    await happens(address, "email.bounced");
  }
  expect(asked).toEqual([303, 303, 429, 429, 429]);
});

test("that an address sent mails back is forgotten after a while, a complaint is not", async () => {
  for (const type of ["email.bounced", "email.complained"]) {
    const user = await makeUser();
    await rated(user);
    await happens(addressOf(user), type);
  }
  const db = createDatabase(env.DB);
  await purgeExpired(db, Date.now() + (retentionDays.bounces - 1) * day);
  expect(await suppressions()).toEqual([{ topic: "bounced" }, { topic: "complained" }]);
  await purgeExpired(db, Date.now() + retentionDays.bounces * day + 60_000);
  expect(await suppressions()).toEqual([{ topic: "complained" }]);
});

describe("an event without a valid signature is refused, and changes nothing:", () => {
  const seconds = (ago: number) => Math.floor(Date.now() / 1000) - ago;
  const other = `whsec_${btoa("another secret of the same kind")}`;
  test.each<[string, (event: SignedEvent) => Promise<SignedEvent> | SignedEvent]>([
    ["none", ({ payload }) => ({ payload, headers: {} })],
    ...["svix-id", "svix-timestamp", "svix-signature"].map(
      (name): [string, (event: SignedEvent) => SignedEvent] => [
        `without ${name}`,
        ({ payload, headers }) => {
          const { [name]: _left, ...rest } = headers;
          return { payload, headers: rest };
        },
      ],
    ),
    [
      "altered",
      ({ payload, headers }) => ({ payload: payload.replace("bounced", "failed"), headers }),
    ],
    ["of another secret", ({ payload }) => control("mailSign", { payload, secret: other })],
    ["too old", ({ payload }) => control("mailSign", { payload, timestamp: seconds(301) })],
    ["too early", ({ payload }) => control("mailSign", { payload, timestamp: seconds(-302) })],
    [
      "with another time",
      ({ payload, headers }) => ({
        payload,
        headers: { ...headers, "svix-timestamp": String(seconds(1)) },
      }),
    ],
    [
      "with another id",
      ({ payload, headers }) => ({ payload, headers: { ...headers, "svix-id": "msg_other" } }),
    ],
    [
      "of another version",
      ({ payload, headers }) => ({
        payload,
        headers: { ...headers, "svix-signature": `v2,${headers["svix-signature"]?.slice(3)}` },
      }),
    ],
    [
      "behind many others",
      ({ payload, headers }) => ({
        payload,
        headers: {
          ...headers,
          "svix-signature": `${"v1,AAAA ".repeat(50)}${headers["svix-signature"]}`,
        },
      }),
    ],
  ])("%s", async (_what, change) => {
    const user = await makeUser();
    await rated(user);
    const event = await mailEvent(addressOf(user), "email.bounced");
    const before = await contents();
    const answer = await postMailEvent(await change(event));
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: "The signature is not valid." },
    ]);
    const { daily_counts: _counts, ...after } = (await contents()) as Record<string, unknown>;
    const { daily_counts: _before, ...was } = before as Record<string, unknown>;
    expect(after).toEqual(was);
  });

  test("one of several signatures is enough, as while a secret is replaced", async () => {
    const user = await makeUser();
    await rated(user);
    const { payload, headers } = await mailEvent(addressOf(user), "email.bounced");
    const signature = `v1,AAAA v1a,BBBB ${headers["svix-signature"]}`;
    const signed = { payload, headers: { ...headers, "svix-signature": signature } };
    expect((await postMailEvent(signed)).status).toBe(200);
    expect(await suppressions()).toEqual([{ topic: "bounced" }]);
  });
});

test.each(["", undefined])("without a secret (%j) every event is refused", async (secret) => {
  const user = await makeUser();
  await rated(user);
  const event = await mailEvent(addressOf(user), "email.bounced");
  const empty = await control<SignedEvent>("mailSign", { payload: event.payload, secret: "" });
  for (const one of [event, empty]) {
    const answer = await postMailEvent(one, { RESEND_WEBHOOK_SECRET: secret } as object);
    expect(answer.status).toBe(404);
  }
  expect(await suppressions()).toEqual([]);
});

test("Resend is asked to send an event again if it could not be written", async () => {
  const user = await makeUser();
  await rated(user);
  const event = await mailEvent(addressOf(user), "email.bounced");
  await whileWritesFail("INSERT", "mail_suppressions", async () => {
    expect((await postMailEvent(event)).status).toBe(500);
  });
  expect((await postMailEvent(event)).status).toBe(200);
  expect(await suppressions()).toEqual([{ topic: "bounced" }]);
});

test("a mail that Resend holds back is told as one that came back", async () => {
  const user = await makeUser();
  await rated(user);
  await mailEvent(addressOf(user), "email.bounced");
  expect(await rated(user)).toBe("sent");
  const mails = (await mailsTo(addressOf(user))) as unknown as { lastEvent: string }[];
  expect(mails.map(({ lastEvent }) => lastEvent)).toEqual(["bounced", "suppressed"]);
});

test("a bounce of a made-up tag ends nothing for the mailbox, but one of a confirmed address does", async () => {
  const user = await makeUser();
  const tagged = addressOf(user).replace("@", "+made-up@");
  const asking = await makeUser();
  await deliver([await askToConfirm(asking.id, tagged)]);
  expect((await happens(tagged, "email.bounced")).status).toBe(200);
  expect(await suppressions()).toEqual([]);
  expect(await rated(user)).toBe("sent");
  // Gmail knows every tag, and has no other mailbox by it.
  const gmail = `${unique("own")}+tag@gmail.com`;
  await deliver([await askToConfirm(asking.id, gmail)]);
  await happens(gmail, "email.bounced");
  expect(await suppressions()).toEqual([{ topic: "bounced" }]);
  await env.DB.prepare("DELETE FROM mail_suppressions").run();

  const ownEmail = `${unique("own")}+tag@mail.example`;
  const owner = await makeUser({ ownEmail });
  await oweRating(await makeSong(owner)).then((id) => deliver([id]));
  await happens(ownEmail, "email.bounced");
  expect(await rated(owner)).toBe("bounced");
});
