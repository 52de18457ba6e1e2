/** The mail stand-in sends, refuses and returns mails like Resend's API. */
import { request } from "node:http";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { API_KEY, SENDING_KEY } from "../../../sandbox/mail/service.ts";
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

it("lets a key that may only send do nothing else", async () => {
  const authorization = { Authorization: `Bearer ${SENDING_KEY}` };
  const sent = await rig.post({ to: "restricted@musicians.example" }, authorization);
  expect(sent.status).toBe(200);
  const { id } = (await sent.json()) as { id: string };
  const read = await fetch(`${rig.sandbox.origin}/resend/emails/${id}`, { headers: authorization });
  expect(read.status).toBe(401);
  expect(await read.json()).toEqual({
    statusCode: 401,
    message: "This API key is restricted to only send emails",
    name: "restricted_api_key",
  });
});

it.each([
  {
    from: "Fivefold <mail@unverified.example>",
    message:
      "The unverified.example domain is not verified. Please, add and verify your domain on https://resend.com/domains",
  },
  {
    from: "onboarding@resend.dev",
    message:
      "You can only send testing emails to your own email address (operator@fivefold.example). To send emails to other recipients, please verify a domain at resend.com/domains, and change the `from` address to an email using this domain.",
  },
])("refuses the sender $from", async ({ from, message }) => {
  const to = "sender-refused@musicians.example";
  const response = await rig.post({ from, to });
  expect(response.status).toBe(403);
  expect(await response.json()).toEqual({ statusCode: 403, message, name: "validation_error" });
  expect(await rig.mails({ to })).toEqual([]);
});

it("sends from Resend's own domain to the account's address", async () => {
  const response = await rig.post({
    from: "onboarding@resend.dev",
    to: "operator@fivefold.example",
  });
  expect(response.status).toBe(200);
});

it("refuses callers without a user agent, as Resend's edge does", async () => {
  const answer = await new Promise<{ status?: number; body: string }>((resolve, reject) => {
    const call = request(
      `${rig.sandbox.origin}/resend/emails`,
      { method: "POST", headers: { Authorization: `Bearer ${API_KEY}` } },
      (response) => {
        let body = "";
        response.on("data", (part: Buffer) => {
          body += part.toString();
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
      },
    );
    call.on("error", reject);
    call.end("{}");
  });
  expect(answer).toEqual({ status: 403, body: "error code: 1010" });
});

const fifty = Array.from({ length: 50 }, (_, n) => `many-${n}@musicians.example`);

it.each([
  [{ from: undefined }, "missing_required_field", "Missing `from` field."],
  [{ to: [] }, "missing_required_field", "Missing `to` field."],
  [{ subject: "" }, "missing_required_field", "Missing `subject` field."],
  [{ text: undefined }, "validation_error", "Missing `html` or `text` field."],
  [{ from: "Fivefold" }, "invalid_from_address", "Invalid `from` field. "],
  [{ to: "nobody" }, "validation_error", "Invalid `to` field. The email address needs"],
  [{ to: ["a@b.example", "Bad <a@b>"] }, "validation_error", "Invalid `to` field. "],
  [{ to: "a@b.example, c@d.example" }, "validation_error", "Invalid `to` field. "],
  [{ to: "A\r\nBcc: x@y.example <a@b.example>" }, "validation_error", "Invalid `to` field. "],
  [{ to: "me@example.com" }, "validation_error", "Please use our testing email address"],
  [{ to: [...fifty, "one-more@musicians.example"] }, "validation_error", "at most 50"],
  [{ bcc: "x" }, "validation_error", "Invalid `bcc` field. "],
  [{ reply_to: [5] }, "validation_error", "Invalid `reply_to` field. "],
  [{ subject: "Two\nlines" }, "validation_error", "`subject` field"],
  [{ html: 5 }, "validation_error", "`html` field must be a `string`"],
  [{ headers: "X: y" }, "validation_error", "`headers` field must be an `object`"],
  [{ headers: { "X-A": "b\r\nBcc: c@d.example" } }, "validation_error", "Invalid value of `X-A`"],
  [{ headers: { "X-A\r\nBcc": "c@d.example" } }, "validation_error", "Invalid header name"],
  [{ headers: { "X-A": 5 } }, "validation_error", "Invalid value of `X-A`"],
  [{ tags: [{ name: "a b", value: "c" }] }, "validation_error", "Tags should only contain"],
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

it("accepts fifty recipients and all common forms of addresses", async () => {
  await rig.send({ to: fifty, reply_to: "contact@example.com" });
  await rig.send({ to: "Søren <o'neil.x+tag@sub.musicians.example>", cc: "<b@c.example>" });
  expect(await rig.mails({ to: "many-49@musicians.example" })).toHaveLength(1);
  expect(await rig.mails({ to: "o'neil.x+tag@sub.musicians.example" })).toHaveLength(1);
});

it("refuses bodies that are not JSON objects, and unknown paths and mails", async () => {
  const calls: [string, RequestInit, number, string][] = [
    ["/emails", { method: "POST", body: "{" }, 400, "validation_error"],
    ["/emails", { method: "POST", body: "[]" }, 400, "validation_error"],
    ["/emails", {}, 405, "method_not_allowed"],
    ["/emails/x", { method: "DELETE" }, 405, "method_not_allowed"],
    ["/emails/x", {}, 404, "not_found"],
    ["/domains", {}, 404, "not_found"],
  ];
  for (const [path, init, statusCode, name] of calls) {
    const response = await rig.get(path, init);
    expect(response.status, path).toBe(statusCode);
    expect(await response.json()).toMatchObject({ statusCode, name });
  }
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

it("refuses a key that is in use", async () => {
  const to = "busy@musicians.example";
  await rig.control("delay", { route: "POST /emails", ms: 500, musician: to });
  const answers = await Promise.all([rig.post({ to }, key("busy")), rig.post({ to }, key("busy"))]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(await refused?.json()).toMatchObject({ name: "concurrent_idempotent_requests" });
  expect(await rig.mails({ to })).toHaveLength(1);
  await rig.send({ to }, "busy");
  expect(await rig.mails({ to })).toHaveLength(1);
});

it.each(["", "k".repeat(257)])("refuses a key of the wrong length", async (name) => {
  const response = await rig.post({}, key(name));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ name: "invalid_idempotency_key" });
  expect((await rig.post({}, key("k".repeat(256)))).status).toBe(200);
});

it("accepts the key of a refused mail again", async () => {
  const to = "free@musicians.example";
  expect((await rig.post({ to, subject: "" }, key("free"))).status).toBe(422);
  await rig.send({ to }, "free");
  expect(await rig.mails({ to })).toHaveLength(1);
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

  clock.mockReturnValue(now + 1_000);
  expect((await own.post()).status).toBe(200);
  await own.control("mailRateLimit", { limit: 1, windowSeconds: 60 });
  await own.post();
  const refused = await own.post();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  await own.control("reset");
  expect((await own.post()).headers.get("ratelimit-limit")).toBe("5");
});

it("sends a mail even if its response is lost", async () => {
  const to = "lost@musicians.example";
  await rig.control("mailLoseAnswer", { musician: to });
  await expect(rig.post({ to }, key("lost"))).rejects.toThrow("fetch failed");
  const [mail] = await rig.mails({ to });
  expect(await rig.send({ to }, "lost")).toBe(mail?.id);
  expect(await rig.mails({ to })).toHaveLength(1);
});

it("refuses a recipient until the reset", async () => {
  const to = "refused@musicians.example";
  await rig.control("mailRefuse", { to });
  for (const fields of [{ to: `Name <${to.toUpperCase()}>` }, { bcc: to }]) {
    const response = await rig.post(fields);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ name: "validation_error" });
  }
  await rig.send({ to: "mara-lind@musicians.example" });
  await rig.control("reset", { musician: "mara-lind" });
  expect((await rig.post({ to })).status).toBe(422);
  await rig.control("reset", { musician: to });
  await rig.send({ to });
});

it.each([
  [{ status: 500 }, 500, "internal_server_error"],
  [{ status: 503 }, 503, "internal_server_error"],
  [{ status: 429, retryAfter: 2 }, 429, "rate_limit_exceeded"],
  [{ status: 422 }, 422, "validation_error"],
  [{ error: "daily_quota_exceeded" }, 429, "daily_quota_exceeded"],
  [{ error: "restricted_api_key" }, 401, "restricted_api_key"],
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

it("explains control requests that make no sense", async () => {
  const fail = rig.control("fail", { route: "POST /emails", error: "nonsense" });
  await expect(fail).rejects.toThrow("no error nonsense");
  await expect(rig.control("mailRefuse")).rejects.toThrow("to is missing");
  const limit = rig.control("mailRateLimit", { limit: 3 });
  await expect(limit).rejects.toThrow("must be numbers");
});

it("fails only one musician's mails, by address or by id, and logs them", async () => {
  const since = Date.now();
  const known = "tobin-ashgrove@musicians.example";
  await rig.control("fail", { route: "POST /emails", status: 0, musician: "tobin-ashgrove" });
  await rig.send({ to: "stranger@musicians.example" });
  await expect(rig.post({ to: [`Tobin <${known}>`] }, key("cut"))).rejects.toThrow("fetch failed");
  const id = await rig.send({ to: known }, "cut");
  await rig.get(`/emails/${id}`);
  const { requests } = JSON.parse(
    await rig.page(`/control/requests?service=resend&musician=tobin-ashgrove&since=${since}`),
  );
  expect(requests).toMatchObject([
    { method: "POST", path: "/emails", headers: { "idempotency-key": "cut" }, status: 0 },
    { method: "POST", body: { to: known }, status: 200, responseBody: { id } },
    { method: "GET", path: `/emails/${id}`, status: 200 },
  ]);
});

it("resets one musician's mails and keys, or all", async () => {
  const own = await startMailRig();
  onTestFinished(own.close);
  const [one, other] = ["one@musicians.example", "other@musicians.example"];
  const first = await own.send({ to: one }, "one");
  const second = await own.send({ to: other }, "other");
  await own.control("reset", { musician: one });
  expect((await own.mails()).map(({ id }) => id)).toEqual([second]);
  expect(await own.send({ to: one }, "one")).not.toBe(first);
  expect(await own.send({ to: other }, "other")).toBe(second);
  await own.control("reset");
  expect(await own.mails()).toEqual([]);
  expect(await own.send({ to: other }, "other")).not.toBe(second);
});
