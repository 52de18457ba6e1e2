/** The mail stand-in sends, refuses and returns mails like Resend's API. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { readResendEvent } from "~/outbox/resend.server";
import { MAIL_WEBHOOK_SECRET } from "../../../sandbox/mail/service.ts";
import { press, textOf } from "../rig.ts";
import { type MailRig, startMailRig } from "./rig.ts";

let rig: MailRig;
beforeAll(async () => {
  rig = await startMailRig();
  await rig.raiseRateLimit();
});
afterAll(() => rig.close());

const key = (name: string) => ({ "Idempotency-Key": name });

it("sends a mail and returns it", async () => {
  const id = await rig.send({
    to: ["Mara <mara-lind@musicians.example>", "kaito@musicians.example"],
    html: "<p>Rated</p>",
    bcc: "archive@fivefold.example",
    reply_to: ["help@fivefold.example"],
    headers: { "X-Entity": "7" },
    tags: [{ name: "kind", value: "rating" }],
  });
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-/);
  const answer = await rig.get(`/emails/${id}`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    object: "email",
    id,
    to: ["Mara <mara-lind@musicians.example>", "kaito@musicians.example"],
    from: "Fivefold <mail@fivefold.example>",
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/),
    subject: "A new rating",
    html: "<p>Rated</p>",
    text: "Somebody rated your song.",
    bcc: ["archive@fivefold.example"],
    cc: [],
    reply_to: ["help@fivefold.example"],
    last_event: "delivered",
  });
  expect(await rig.mails({ to: "Archive@fivefold.example" })).toMatchObject([
    { id, musician: "mara-lind", headers: { "X-Entity": "7" }, idempotencyKey: null },
  ]);
});

it.each([
  ["", 401, "missing_api_key"],
  ["re_sandbox_development_only", 401, "missing_api_key"],
  ["Bearer re_other", 403, "invalid_api_key"],
])("refuses the authorization %j with %i", async (authorization, statusCode, name) => {
  const to = `key-${name}@musicians.example`;
  const response = await rig.post({ to }, { Authorization: authorization });
  expect(response.status).toBe(statusCode);
  expect(await response.json()).toEqual({ statusCode, name, message: expect.any(String) });
  expect(await rig.mails({ to })).toEqual([]);
});

it("refuses a sender whose domain is not verified", async () => {
  const response = await rig.post({ from: "Fivefold <mail@unverified.example>" });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ statusCode: 403, name: "validation_error" });
});

const fifty = Array.from({ length: 50 }, (_, n) => `many-${n}@musicians.example`);

it.each([
  [{ to: [] }, "missing_required_field", "Missing `to` field."],
  [{ text: undefined }, "validation_error", "Missing `html` or `text` field."],
  [{ from: "Fivefold" }, "invalid_from_address", "Invalid `from` field. "],
  [{ to: "nobody" }, "validation_error", "Invalid `to` field. The email address needs"],
  [{ to: "A\r\nBcc: x@y.example <a@b.example>" }, "validation_error", "Invalid `to` field. "],
  [{ to: [...fifty, "one-more@musicians.example"] }, "validation_error", "at most 50"],
  [{ subject: "Two\nlines" }, "validation_error", "`subject` field"],
  [{ headers: { "X-A": "b\r\nBcc: c@d.example" } }, "validation_error", "Invalid value of `X-A`"],
])("refuses %j as %s", async (fields, name, message) => {
  const before = (await rig.mails()).length;
  const response = await rig.post(fields);
  expect(response.status).toBe(422);
  expect(await response.json()).toEqual({
    statusCode: 422,
    name,
    message: expect.stringContaining(message),
  });
  expect(await rig.mails()).toHaveLength(before);
});

it("sends the same mail with the same key once", async () => {
  const to = "once@musicians.example";
  const id = await rig.send({ to }, "once");
  expect(await rig.send({ to }, "once")).toBe(id);
  expect(await rig.mails({ to })).toMatchObject([{ id, idempotencyKey: "once" }]);
  expect(await rig.send({ to }, "twice")).not.toBe(id);
  await rig.send({ to });
  expect(await rig.mails({ to })).toHaveLength(3);
});

it("refuses another mail with a used key", async () => {
  const to = "other@musicians.example";
  await rig.send({ to }, "other");
  const response = await rig.post({ to, subject: "Another" }, key("other"));
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ name: "invalid_idempotent_request" });
  expect(await rig.mails({ to })).toHaveLength(1);
});

it("forgets a key after 24 hours", async () => {
  const to = "day@musicians.example";
  await rig.send({ to }, "day");
  const now = Date.now();
  const clock = vi.spyOn(Date, "now");
  onTestFinished(() => clock.mockRestore());
  clock.mockReturnValue(now + 86_390_000);
  await rig.send({ to }, "day");
  expect(await rig.mails({ to })).toHaveLength(1);
  clock.mockReturnValue(now + 86_410_000);
  await rig.send({ to, subject: "Another" }, "day");
  expect(await rig.mails({ to })).toHaveLength(2);
});

it("allows five calls a second and says so in headers", async () => {
  const own = await startMailRig();
  onTestFinished(own.close);
  const now = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(now);
  onTestFinished(() => clock.mockRestore());
  const answers: Response[] = [];
  for (let n = 0; n < 6; n += 1) answers.push(await own.post());
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
  const of = (name: string) => answers.map(({ headers }) => headers.get(name));
  expect(of("ratelimit-limit")).toEqual(Array(6).fill("5"));
  expect(of("ratelimit-remaining")).toEqual(["4", "3", "2", "1", "0", "0"]);
  expect(of("ratelimit-reset")).toEqual(Array(6).fill("1"));
  expect(of("retry-after")).toEqual([null, null, null, null, null, "1"]);
  expect(await answers[5]?.json()).toMatchObject({ statusCode: 429, name: "rate_limit_exceeded" });
  expect(await own.mails()).toHaveLength(5);
});

it("sends a mail even if its response is lost", async () => {
  const to = "lost@musicians.example";
  await rig.control("mailLoseAnswer", { musician: to });
  await expect(rig.post({ to }, key("lost"))).rejects.toThrow("fetch failed");
  const [mail] = await rig.mails({ to });
  expect(await rig.send({ to }, "lost")).toBe(mail?.id);
  expect(await rig.mails({ to })).toHaveLength(1);
});

it.each([
  [{ status: 500 }, 500, "internal_server_error"],
  [{ status: 429, retryAfter: 2 }, 429, "rate_limit_exceeded"],
  [{ error: "daily_quota_exceeded" }, 429, "daily_quota_exceeded"],
])("fails as requested by %j", async (fault, statusCode, name) => {
  const to = "fault@musicians.example";
  await rig.control("reset", { musician: to });
  await rig.control("fail", { route: "POST /emails", musician: to, ...fault });
  const response = await rig.post({ to }, key("fault"));
  expect(response.status).toBe(statusCode);
  expect(await response.json()).toEqual({ statusCode, name, message: expect.any(String) });
  expect(await rig.mails({ to })).toEqual([]);
  await rig.send({ to }, "fault");
});

describe("a mail that comes back or is reported as spam", () => {
  /** A stand-in, and what it posts to its endpoint. */
  async function told() {
    const posted: { headers: Headers; body: string }[] = [];
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const headers = new Headers(request.headers as Record<string, string>);
      posted.push({ headers, body: Buffer.concat(parts).toString() });
      response.end();
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/resend`;
    const own = await startMailRig({ mailWebhook: { url, secret: MAIL_WEBHOOK_SECRET } });
    onTestFinished(own.close);
    return { ...own, posted };
  }

  it.each(["email.bounced", "email.complained"])("is told of, signed (%s)", async (type) => {
    const { posted, control, send } = await told();
    const to = `Ada <${type}@musicians.example>`;
    const id = await send({ to, tags: [{ name: "kind", value: "rating" }] });
    const address = `${type}@musicians.example`;
    expect(await control("mailEvent", { to: address, type })).toMatchObject({ status: 200 });
    const [event] = posted;
    const sender = "mail@fivefold.example";
    const options = { secret: MAIL_WEBHOOK_SECRET, sender, now: Date.now() };
    const why = type.replace("email.", "");
    expect(
      await readResendEvent(event?.body ?? "", event?.headers ?? new Headers(), options),
    ).toEqual({
      address,
      why,
      at: expect.any(Number),
    });
    expect(JSON.parse(event?.body ?? "")).toMatchObject({
      type,
      data: { email_id: id, to: [address], tags: { kind: "rating" } },
    });
  });

  it("is the last that is sent there, until the address is allowed again", async () => {
    const { posted, control, send, mails } = await told();
    const to = "gone@musicians.example";
    const events = () => mails({ to }).then((all) => all.map(({ lastEvent }) => lastEvent));
    await send({ to });
    await control("mailEvent", { to, type: "email.bounced", bounce: "Transient" });
    await send({ to });
    expect(await events()).toEqual(["delivered", "delivered"]);
    await control("mailEvent", { to, type: "email.bounced" });
    await send({ to: to.toUpperCase() });
    expect(await events()).toEqual(["delivered", "bounced", "suppressed"]);
    await expect.poll(() => posted.length).toBe(3);
    expect(JSON.parse(posted[2]?.body ?? "")).toMatchObject({ type: "email.suppressed" });
    await control("mailAllow", { to });
    await send({ to });
    expect((await events()).at(-1)).toBe("delivered");
  });

  it("can be made so on its page", async () => {
    const { posted, send, sandbox } = await told();
    const id = await send({ to: "page@musicians.example" });
    const page = `${sandbox.origin}/mail/${id}`;
    expect(await textOf(await fetch(page))).not.toContain("suppression list");
    expect(await textOf(await press(`${page}/complain`))).toContain("the app answered 200");
    expect(await textOf(await press(`${page}/bounce`))).toContain("suppression list");
    expect(await textOf(await press(`${page}/allow`))).not.toContain("suppression list");
    expect(posted.map(({ body }) => JSON.parse(body).type)).toEqual([
      "email.complained",
      "email.bounced",
    ]);
    expect((await press(`${sandbox.origin}/mail/none/bounce`)).status).toBe(404);
  });
});
