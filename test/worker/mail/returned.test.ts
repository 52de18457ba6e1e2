/** Mails that came back or were reported as spam, of which Resend tells by its webhook. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { purgeExpired } from "~/account/purge.server";
import { retentionDays } from "~/db/periods";
import { confirmationToken } from "~/mailing/address.server";
import { readConfig } from "~/platform/env";
import { makeSong, makeUser, type TestUser, unique } from "../../support/database/factories";
import { db, row, rows, untouched } from "../../support/database/rows";
import { answers, hides, shows } from "../../support/expectations";
import {
  addressOf,
  askToConfirm,
  deliver,
  mailEvent,
  mailsTo,
  owe,
  oweRating,
  postMailEvent,
  type SignedEvent,
} from "../../support/mails";
import { someone } from "../../support/people";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";

const day = 24 * 60 * 60 * 1000;

/** Delivers a mail. @returns why it was not sent, or "sent". */
async function sent(id: string, bindings = {}): Promise<string> {
  await deliver([id], bindings);
  const { state, fault } = await row("outbox", { id });
  return fault ?? state;
}

/** Rates a user's song, which is mailed. */
async function rated(user: TestUser, bindings = {}): Promise<string> {
  return sent(await oweRating(await makeSong(user)), bindings);
}

/** Somebody to whom a mail was sent. */
async function mailed(options: Parameters<typeof someone>[0] = {}) {
  const user = await someone(options);
  expect(await rated(user)).toBe("sent");
  return { ...user, address: addressOf(user) };
}

async function tell(event: SignedEvent): Promise<void> {
  const answer = await postMailEvent(event);
  expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
}

/** Something happens to the last mail to an address, and the webhook hears of it. */
async function happens(to: string, ...event: [type: string, more?: object]): Promise<void> {
  await tell(await mailEvent(to, ...event));
}

/** Resend signs this. */
function sign(payload: string, more: object = {}): Promise<SignedEvent> {
  return control("mailSign", { payload, ...more });
}

/** No more mails go to addresses, for these reasons. */
async function suppressed(...reasons: string[]): Promise<void> {
  const found = await rows("mailSuppressions");
  expect(found.map(({ topic }) => topic).sort()).toEqual(reasons);
}

const ends = [
  ["email.bounced", "bounced", "came back, so we send no more there"],
  ["email.suppressed", "bounced", "came back, so we send no more there"],
  ["email.complained", "complained", "was reported as spam, so we send no more there"],
] as const;

test.each(ends)(
  "after %s no mail of any kind goes to the address, from no account",
  async (type, why) => {
    const { user, address } = await mailed({ tier: "past_due" });
    await happens(address, type);
    await suppressed(why);
    expect(await rated(user)).toBe(why);
    expect(await rated(await makeUser({ email: address.toUpperCase() }))).toBe(why);
    for (const kind of ["past_due", "decision"] as const) {
      expect(await sent(await owe(user.id, kind))).toBe(why);
    }
    expect(await rows("outbox", { state: "skipped" })).toHaveLength(4);
    expect(await rated(await makeUser())).toBe("sent");
  },
);

test.each(ends)("after %s the pages say so, and offer what to do", async (type, why, told) => {
  const { address, reads, posts, sends } = await mailed();
  await happens(address, type);
  for (const path of ["/account", "/ratings-of-my-songs"]) {
    const page = await reads(path);
    shows(page, told, 'href="/account#address"');
    hides(page, /name="receiveRatingEmails"|has unsubscribed/);
  }
  await answers(sends("/email-preference", { receiveRatingEmails: true }), 409);
  const exported = await (await posts("/account/export")).json();
  expect(exported).toMatchObject({ mail: { returned: why, unsubscribedFrom: [] } });
});

test.each(ends)(
  "after %s mails come back once the address is confirmed again, and not because an old event comes late",
  async (type, why) => {
    const { user, address, posts } = await mailed();
    const before = await mailEvent(address, type, { at: Date.now() - 1000 });
    await tell(before);
    await control("mailAllow", { to: address });
    await answers(posts("/account/email", { address }), 303);
    const { id } = await row("mailedProofs");
    const token = await confirmationToken(readConfig(env).sessionSecret, id);
    const confirmed = await request(`/confirm-email?token=${token}`, { form: { x: "" } });
    expect(confirmed.status).toBe(303);
    await suppressed();
    // The same again, under a new signature, as Resend sends what was not answered.
    await tell(await sign(before.payload));
    await suppressed();
    expect(await rated(user)).toBe("sent");
    await happens(address, type, { at: Date.now() + 1000 });
    expect(await rated(user)).toBe(why);
  },
);

test.each(ends)(
  "%s that is told twice, or after a later one, changes nothing more",
  async (type) => {
    const { address } = await mailed();
    const earlier = await mailEvent(address, type, { at: Date.now() - 60_000 });
    const event = await mailEvent(address, type);
    await tell(event);
    await untouched(async () => {
      for (const again of [event, earlier, event]) await tell(again);
    });
  },
);

test.each<[type: string, more: { bounce?: string }]>([
  ["email.bounced", { bounce: "Transient" }],
  ["email.bounced", { bounce: "Undetermined" }],
  ["email.delivered", {}],
  ["email.delivery_delayed", {}],
  ["email.failed", {}],
])("%s %j changes nothing", async (type, more) => {
  const { user, address } = await mailed();
  await untouched(() => happens(address, type, more));
  expect(await rated(user)).toBe("sent");
});

test("a mail with a copy that came back changes nothing: nobody can say whose it was", async () => {
  const user = await makeUser();
  expect(await rated(user, { MAIL_BCC: "copies@fivefold.example" })).toBe("sent");
  await untouched(() => happens(addressOf(user), "email.bounced"));
});

test.each<[what: string, data: object]>([
  ["another sender's mail that came back", { from: "News <news@elsewhere.example>" }],
  ["a mail to two that came back", { to: ["a@mail.example", "b@mail.example"] }],
  ["a mail to nobody that came back", { to: [] }],
  ["an event in another form", { to: "a@mail.example" }],
])("%s changes nothing", async (_what, data) => {
  const { address } = await mailed();
  const event = JSON.parse((await mailEvent(address, "email.bounced")).payload);
  const changed = { ...event, data: { ...event.data, ...data } };
  const signed = await sign(JSON.stringify(changed));
  await untouched(() => tell(signed));
});

test.each(["", "null", "[]", "{}", "no JSON", '{"type":"email.bounced"}', "\0"])(
  "the signed body %j changes nothing",
  async (payload) => {
    const signed = await sign(payload);
    await untouched(() => tell(signed));
  },
);

test("an event about an address that is nobody's here any more still holds", async () => {
  const { address, sends } = await mailed();
  await sends("/account/delete");
  await happens(address, "email.complained");
  expect(await rated(await makeUser({ email: address }))).toBe("complained");
});

test("the page says that the link to a new address came back, until another one is sent", async () => {
  const { user, reads } = await mailed();
  const waits = "We have sent a link to";
  const mistyped = `${unique("mistyped")}@mail.example`;
  await deliver([await askToConfirm(user.id, mistyped)]);
  shows(await reads("/account"), waits);
  await happens(mistyped, "email.bounced");
  const page = await reads("/account");
  shows(page, `Our e-mail to <bdi>${mistyped}</bdi> came back`);
  hides(page, waits);
  // Mails to the old address go on.
  shows(page, 'name="receiveRatingEmails"');
  expect(await rated(user)).toBe("sent");
  await askToConfirm(user.id, `${unique("right")}@mail.example`, Date.now() + 1);
  shows(await reads("/account"), waits);
});

test("who asks for links to an address that sends them back stays within the limits", async () => {
  const { address, posts } = await mailed();
  await happens(address, "email.bounced");
  const asked: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    asked.push((await posts("/account/email", { address })).status);
    await happens(address, "email.bounced");
  }
  expect(asked).toEqual([303, 303, 429, 429, 429]);
});

test("that an address sent mails back is forgotten after a while, a complaint is not", async () => {
  for (const type of ["email.bounced", "email.complained"]) {
    await happens((await mailed()).address, type);
  }
  await purgeExpired(db, Date.now() + (retentionDays.bounces - 1) * day);
  await suppressed("bounced", "complained");
  await purgeExpired(db, Date.now() + retentionDays.bounces * day + 60_000);
  await suppressed("complained");
});

const another = `whsec_${btoa("another secret of the same kind")}`;
/** The event with other headers. */
const headed =
  (change: (headers: Record<string, string>) => object) =>
  ({ payload, headers }: SignedEvent) =>
    ({ payload, headers: { ...headers, ...change(headers) } }) as SignedEvent;

test.each<[how: string, change: (event: SignedEvent) => SignedEvent | Promise<SignedEvent>]>([
  ["without a signature", ({ payload }) => ({ payload, headers: {} })],
  ...["svix-id", "svix-timestamp", "svix-signature"].map((name) => {
    const without = ({ payload, headers: { [name]: _left, ...headers } }: SignedEvent) => ({
      ...{ payload, headers },
    });
    return [`without ${name}`, without] as [string, typeof without];
  }),
  [
    "that was altered",
    (event) => ({ ...event, payload: event.payload.replace("bounced", "failed") }),
  ],
  ["of another secret", ({ payload }) => sign(payload, { secret: another })],
  [
    "with another time",
    headed(() => ({ "svix-timestamp": String(Math.floor(Date.now() / 1000) - 1) })),
  ],
  ["with another id", headed(() => ({ "svix-id": "msg_other" }))],
  [
    "of another version",
    headed((headers) => ({ "svix-signature": `v2,${headers["svix-signature"]?.slice(3)}` })),
  ],
  [
    "whose signature stands behind many others",
    headed((headers) => ({
      "svix-signature": `${"v1,AAAA ".repeat(50)}${headers["svix-signature"]}`,
    })),
  ],
])("an event %s is refused, and changes nothing", async (_how, change) => {
  const { address } = await mailed();
  const event = await change(await mailEvent(address, "email.bounced"));
  await untouched(async () => {
    const answer = await postMailEvent(event);
    const refusal = { error: "The signature is not valid." };
    expect([answer.status, await answer.json()]).toEqual([400, refusal]);
  });
});

test("one of several signatures is enough, as while a secret is replaced", async () => {
  const { address } = await mailed();
  const several = headed((headers) => ({
    "svix-signature": `v1,AAAA v1a,BBBB ${headers["svix-signature"]}`,
  }));
  await tell(several(await mailEvent(address, "email.bounced")));
  await suppressed("bounced");
});

test.each(["", undefined])("without a secret (%j) every event is refused", async (secret) => {
  const { address } = await mailed();
  const event = await mailEvent(address, "email.bounced");
  for (const one of [event, await sign(event.payload, { secret: "" })]) {
    const answer = await postMailEvent(one, { RESEND_WEBHOOK_SECRET: secret } as object);
    expect(answer.status).toBe(404);
  }
  await suppressed();
});

test("a mail that Resend holds back is told as one that came back", async () => {
  const { user, address } = await mailed();
  await mailEvent(address, "email.bounced");
  expect(await rated(user)).toBe("sent");
  expect(await mailsTo(address)).toMatchObject([
    { lastEvent: "bounced" },
    { lastEvent: "suppressed" },
  ]);
});

test("a bounce of a made-up tag ends nothing for the mailbox, but one of a confirmed address does", async () => {
  const user = await makeUser();
  const asking = await makeUser();
  const asks = async (address: string) => {
    await deliver([await askToConfirm(asking.id, address)]);
    await happens(address, "email.bounced");
  };
  await asks(addressOf(user).replace("@", "+made-up@"));
  await suppressed();
  expect(await rated(user)).toBe("sent");

  const ownEmail = `${unique("own")}+tag@mail.example`;
  const owner = await makeUser({ ownEmail });
  await rated(owner);
  await happens(ownEmail, "email.bounced");
  expect(await rated(owner)).toBe("bounced");
  // Gmail knows every tag, and has no other mailbox by it.
  await asks(`${unique("own")}+tag@gmail.com`);
  await suppressed("bounced", "bounced");
});
