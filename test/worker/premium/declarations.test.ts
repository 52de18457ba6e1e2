/** Rule 50, cancelling: by anybody who has an address, without a login, once. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { readConfig } from "~/platform/env";
import { skipWaits } from "../../support/clock";
import { makeUser } from "../../support/database/factories";
import { change, row, rows } from "../../support/database/rows";
import { answers, hides, shows } from "../../support/expectations";
import { deliverAll, mailsTo, mailTo } from "../../support/mails";
import { subscriber } from "../../support/people/subscriber";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { freeEmail, stripeState } from "../../support/stripe/stripe";

const { contactEmail } = readConfig(env);
const day = 24 * 60 * 60 * 1000;
const kinds = ["cancel", "withdraw"] as const;
type Kind = (typeof kinds)[number];

const key = (): string => crypto.randomUUID();

function declares(kind: Kind, address: string, { form = key(), from = key() } = {}) {
  return request(`/${kind}`, {
    form: { address, key: form },
    headers: { "CF-Connecting-IP": from },
  });
}

/** Premium of somebody who has confirmed an address. */
async function member() {
  const ownEmail = freeEmail();
  const who = await subscriber(await makeUser({ ownEmail }));
  await env.DB.prepare("DELETE FROM outbox").run();
  return { ...who, address: ownEmail };
}

/** The link of the receipt, which must have come. */
async function linkIn(address: string): Promise<string> {
  await deliverAll();
  // Mails that are sent together arrive in any order.
  const paths = (await mailsTo(address)).flatMap(
    ({ text }) => /\/(?:cancel|withdraw)\?token=\S+/.exec(text) ?? [],
  );
  return paths.at(-1) ?? "";
}

const press = (path: string) => request(path, { form: { x: "" } });

async function stateOf(customer: string) {
  const { subscriptions } = await stripeState({ customer });
  const { refunds } = await control<{ refunds: string[] }>("stripeRefunds", { customer });
  const [one] = subscriptions;
  return { status: one?.status, ends: one?.cancel_at_period_end, refunds: refunds.length };
}

test("a cancellation is received by mail at once; its link tells Stripe, however often it is pressed", async () => {
  const who = await member();
  const taken = await declares("cancel", who.address.toUpperCase());
  expect([taken.status, taken.headers.get("Location")]).toEqual([303, "/cancel?sent"]);
  const link = await linkIn(who.address);
  const receipt = await mailTo(who.address);
  shows(receipt.subject, "We have your cancellation of Fivefold Premium");
  shows(receipt.text, /On .* UTC, the cancellation/, "does not renew", "Confirm the cancellation");
  await answers(request(link), 200, "Confirm the cancellation");
  expect(await stateOf(who.customer)).toEqual({ status: "active", ends: false, refunds: 0 });
  for (let n = 0; n < 2; n += 1) expect((await press(link)).status).toBe(303);
  expect(await stateOf(who.customer)).toEqual({ status: "active", ends: true, refunds: 0 });
  expect(await who.record()).toMatchObject({ cancel_at: expect.any(Number) });
  await answers(request(link), 200, "Your cancellation is done");
  // The operator is not asked for what is done.
  await deliverAll();
  const asked = (await mailsTo(contactEmail)).filter(({ text }) => text.includes(who.address));
  expect(asked).toEqual([]);
});

test("a withdrawal within fourteen days pays back once and ends Premium at once, also pressed twice at once", async () => {
  const who = await member();
  for (let n = 0; n < 2; n += 1) await declares("withdraw", who.address);
  const link = await linkIn(who.address);
  const links = (await mailsTo(who.address)).map(
    ({ text }) => /(\/withdraw\?token=\S+)/.exec(text)?.[1] ?? "",
  );
  const pressed = await Promise.all([press(link), press(link)]);
  expect(Math.min(...pressed.map(({ status }) => status))).toBe(303);
  expect(await stateOf(who.customer)).toMatchObject({ status: "canceled", refunds: 1 });
  expect(await who.record()).toMatchObject({ status: "canceled" });
  await press(link);
  expect((await stateOf(who.customer)).refunds).toBe(1);
  // Both receipts say that it is done.
  expect(new Set(links).size).toBe(2);
  for (const one of links) await answers(request(one), 200, "Your withdrawal is done");
});

test("while Stripe is down nothing is lost or done twice: the link works later", async () => {
  const who = await member();
  await declares("withdraw", who.address);
  const link = await linkIn(who.address);
  skipWaits();
  await control("fail", { route: "POST /v1/refunds", status: 500, times: 1 });
  await answers(press(link), 503, "Stripe is not answering", "We have what you declared");
  expect(await stateOf(who.customer)).toMatchObject({ status: "active", refunds: 0 });
  const route = `DELETE /v1/subscriptions/${who.subscription}`;
  await control("fail", { route, status: 500, times: 1 });
  await press(link);
  expect((await press(link)).status).toBe(303);
  expect(await stateOf(who.customer)).toMatchObject({ status: "canceled", refunds: 1 });
});

test("who has cancelled before, and subscribed again, cancels again", async () => {
  const who = await member();
  await declares("cancel", who.address);
  await press(await linkIn(who.address));
  await change(
    "declarations",
    {},
    { createdAt: Date.now() - 30 * day, doneAt: Date.now() - 29 * day },
  );
  await who.resumes();
  await declares("cancel", who.address);
  const link = await linkIn(who.address);
  await answers(request(link), 200, "Confirm the cancellation");
  await press(link);
  expect((await who.subscriptions())[0]?.cancel_at).toEqual(expect.any(Number));
  // Of the same hour, one receipt is enough for the operator, too.
  await change("outbox", { kind: "declaration_open" }, { notBefore: 0 });
  await deliverAll();
  const asked = (await mailsTo(contactEmail)).filter(({ text }) => text.includes(who.address));
  expect(asked).toEqual([]);
});

test("a withdrawal after fourteen days, and an address that nobody pays by, go to a person", async () => {
  const late = await member();
  await change("subscriptions", { userId: late.user.id }, { startedAt: Date.now() - 15 * day });
  const stranger = freeEmail();
  for (const address of [late.address, stranger]) {
    await declares("withdraw", address);
    expect(await linkIn(address)).toBe("");
    shows((await mailTo(address)).text, "a person will look at it by", "paid with another address");
  }
  expect(await stateOf(late.customer)).toMatchObject({ status: "active", refunds: 0 });
});

test("what nobody confirms within an hour is mailed to the operator, with a deadline, once", async () => {
  const address = freeEmail();
  await declares("cancel", address);
  const [open] = await rows("outbox", { kind: "declaration_open" });
  expect((open?.notBefore ?? 0) - (open?.createdAt ?? 0)).toBe(60 * 60 * 1000);
  await change("outbox", { id: open?.id ?? "" }, { notBefore: 0 });
  await deliverAll();
  await deliverAll();
  const mails = (await mailsTo(contactEmail)).filter(({ text }) => text.includes(address));
  expect(mails).toHaveLength(1);
  shows(mails[0]?.subject, /^A cancellation waits for you, until \d+ \w+ \d{4}$/);
});

test("the page answers the same whoever has the address, and a form sent twice counts once", async () => {
  const who = await member();
  const form = key();
  const said = await Promise.all(
    [who.address, freeEmail()].map(async (address) => {
      const { status, headers } = await declares("cancel", address);
      return [status, headers.get("Location")];
    }),
  );
  expect(said[0]).toEqual(said[1]);
  const twice = freeEmail();
  await Promise.all([1, 2].map(() => declares("cancel", twice, { form })));
  expect((await declares("cancel", twice, { form })).status).toBe(303);
  await deliverAll();
  expect(await mailsTo(twice)).toHaveLength(1);
});

test("three declarations a day reach a mailbox, and six come from one place; more are told where to write", async () => {
  const address = freeEmail();
  for (let n = 0; n < 3; n += 1) expect((await declares("cancel", address)).status).toBe(303);
  await answers(declares("cancel", address.replace("@", "+tag@")), 429, contactEmail);
  const from = "192.0.2.77";
  for (let n = 0; n < 6; n += 1) {
    expect((await declares("cancel", freeEmail(), { from })).status).toBe(303);
  }
  await answers(declares("withdraw", freeEmail(), { from }), 429, "Nothing is lost");
});

test.each(["", "no address", "a@b"])(
  "%j is no address, and what was typed stays",
  async (address) => {
    const response = await answers(declares("cancel", address), 422);
    if (address) shows(await response.text(), `value="${address}"`);
    expect(await rows("declarations")).toEqual([]);
  },
);

test("an altered or made-up link does nothing", async () => {
  const who = await member();
  await declares("cancel", who.address);
  const link = await linkIn(who.address);
  const { id } = (await row("declarations")) as { id: string };
  for (const path of [`${link.slice(0, -1)}~`, "/cancel?token=", `/cancel?token=${id}`]) {
    expect((await request(path)).status, path).toBe(403);
    expect((await press(path)).status, path).toBe(403);
  }
  expect(await stateOf(who.customer)).toMatchObject({ ends: false });
});

test("the receipt of one mailbox ends nobody else's Premium", async () => {
  const [one, other] = [await member(), await member()];
  await declares("cancel", one.address);
  const link = await linkIn(one.address);
  await press(link);
  expect(await stateOf(other.customer)).toMatchObject({ ends: false });
  hides((await mailTo(one.address)).text, other.address);
});
