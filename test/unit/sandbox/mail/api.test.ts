/** The mail stand-in sends, refuses and returns mails like Resend's API. */
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
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
