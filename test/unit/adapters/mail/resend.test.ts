import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MailError, mailTimeoutMs, type OutgoingMail } from "~/adapters/mail/mailer";
import { createResend } from "~/adapters/mail/resend.server";

const mail: OutgoingMail = {
  to: "ada@musicians.example",
  bcc: null,
  subject: "A subject",
  html: "<p>Hello</p>",
  text: "Hello",
  headers: { "List-Unsubscribe": "<https://fivefold.example/unsubscribe>" },
};
const sender = {
  name: "Fivefold",
  address: "ratings@fivefold.example",
  replyTo: "support@fivefold.example",
};

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

let server: Server;
/** The next answer; null cuts the connection. */
let answer: Answer | null;
let asked: { path?: string; headers: Record<string, unknown>; body: unknown }[];

beforeEach(async () => {
  answer = { body: '{"id":"1"}' };
  asked = [];
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body: unknown = JSON.parse(Buffer.concat(parts).toString());
    asked.push({ path: `${request.method} ${request.url}`, headers: request.headers, body });
    if (!answer) return void request.socket.destroy();
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(() => {
  vi.restoreAllMocks();
  server.closeAllConnections();
  server.close();
});

function send(changes: Partial<OutgoingMail> = {}): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const parts = { apiUrl: `http://127.0.0.1:${port}/resend`, apiKey: "re_key" };
  const caller = { appOrigin: "https://fivefold.example", contactEmail: sender.replyTo };
  return createResend(parts, sender, caller).send({ ...mail, ...changes }, "a-key");
}

/** The error of a mail that is not accepted. */
async function failure(): Promise<Pick<MailError, "reason" | "message" | "retryAfterSeconds">> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    const { reason, message, retryAfterSeconds } = error;
    return { reason, message, retryAfterSeconds };
  }
  throw new Error("the mail was accepted");
}

function fault(status: number, name: string, message = "It is no use."): Answer {
  return { status, body: JSON.stringify({ statusCode: status, name, message }) };
}

test("a mail is posted in Resend's format, under its key", async () => {
  await send();
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({
    path: "POST /resend/emails",
    headers: {
      authorization: "Bearer re_key",
      "content-type": "application/json",
      "idempotency-key": "a-key",
      "user-agent": expect.stringMatching(
        /^Fivefold\/[\d.]+ \(\+https:\/\/fivefold\.example; support@fivefold\.example\)$/,
      ),
    },
  });
  expect(asked[0]?.body).toEqual({
    from: "Fivefold <ratings@fivefold.example>",
    to: ["ada@musicians.example"],
    reply_to: "support@fivefold.example",
    subject: "A subject",
    html: "<p>Hello</p>",
    text: "Hello",
    headers: { "List-Unsubscribe": "<https://fivefold.example/unsubscribe>" },
  });
});

test("a mail has a copy if there is an address for it", async () => {
  await send({ bcc: "owner@fivefold.example" });
  expect(asked[0]?.body).toMatchObject({ bcc: ["owner@fivefold.example"] });
});

describe("a mail is refused for good", () => {
  test.each([
    fault(400, "validation_error", "Invalid `to` field."),
    fault(422, "validation_error", "Invalid `to` field."),
  ])("because of its recipient: $body", async (given) => {
    answer = given;
    expect(await failure()).toMatchObject({ reason: "refused", retryAfterSeconds: null });
  });
});

describe("a mail may be tried again", () => {
  test.each([
    fault(404, "not_found"),
    fault(405, "method_not_allowed"),
    fault(400, "validation_error"),
    fault(422, "missing_required_field"),
    fault(451, "security_error"),
    fault(500, "application_error"),
    fault(500, "internal_server_error"),
    fault(503, "service_unavailable"),
  ])("if the recipient is not the reason: $body", async (given) => {
    answer = given;
    const { name } = JSON.parse(given.body ?? "");
    expect(await failure()).toEqual({
      reason: "failed",
      message: `${given.status} ${name}`,
      retryAfterSeconds: null,
    });
  });

  test.each([
    { name: "HTML", body: "<html>Bad gateway</html>" },
    { name: "nothing", body: "" },
    { name: "null", body: "null" },
    { name: "an error without a name", body: '{"message":"no"}' },
    { name: "an invalid name", body: '{"name":"ada@musicians.example"}' },
    { name: "an overlong name", body: JSON.stringify({ name: "x".repeat(61) }) },
  ])("if the answer is $name, and the error is the status alone", async ({ body }) => {
    answer = { status: 502, body };
    expect(await failure()).toMatchObject({ reason: "failed", message: "502" });
  });

  test("if the connection is cut", async () => {
    answer = null;
    expect(await failure()).toMatchObject({ reason: "failed", message: "unreachable" });
  });

  test("if no answer comes in time", async () => {
    const over = AbortSignal.abort(new DOMException("late", "TimeoutError"));
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(over);
    expect(await failure()).toMatchObject({ reason: "failed", message: "unreachable" });
    expect(timeout).toHaveBeenCalledWith(mailTimeoutMs);
  });
});

describe("a mail waits for the operator", () => {
  test.each([
    fault(401, "missing_api_key"),
    fault(401, "restricted_api_key", "This API key is restricted to only send emails"),
    fault(401, "validation_error", "API key is invalid"),
    fault(403, "invalid_api_key"),
    fault(403, "validation_error", "The fivefold.example domain is not verified."),
    fault(403, "validation_error", "You can only send to your own `to` address."),
    fault(422, "invalid_from_address"),
    fault(422, "validation_error", "Invalid `from` field."),
    fault(422, "validation_error", "Invalid `bcc` field."),
    fault(422, "validation_error", "Invalid `reply_to` field."),
    fault(400, "validation_error", "API key is invalid"),
  ])("if the set-up is the reason: $body", async (given) => {
    answer = given;
    const { name } = JSON.parse(given.body ?? "");
    expect(await failure()).toEqual({
      reason: "setup",
      message: `${given.status} ${name}`,
      retryAfterSeconds: null,
    });
  });

  test("but not for what something on the way to Resend refuses", async () => {
    answer = { status: 403, body: "error code: 1010" };
    expect(await failure()).toMatchObject({ reason: "failed", message: "403" });
  });
});

describe("Resend is not asked again", () => {
  test.each([
    { header: "7", wait: 7 },
    { header: "0", wait: 1 },
    { header: "999999", wait: 3600 },
    { header: "soon", wait: null },
    { header: "-1", wait: null },
    { header: "1.5", wait: null },
    { header: "Wed, 21 Oct 2026 07:28:00 GMT", wait: null },
  ])("at its rate limit, for as long as it says: $header", async ({ header, wait }) => {
    answer = { ...fault(429, "rate_limit_exceeded"), headers: { "Retry-After": header } };
    expect(await failure()).toEqual({
      reason: "busy",
      message: "429 rate_limit_exceeded",
      retryAfterSeconds: wait,
    });
  });

  test("at its rate limit, if it does not say for how long", async () => {
    answer = { status: 429 };
    expect(await failure()).toEqual({ reason: "busy", message: "429", retryAfterSeconds: null });
  });

  test.each(["daily_quota_exceeded", "monthly_quota_exceeded"])(
    "for an hour after a quota is used up: %s",
    async (name) => {
      answer = { ...fault(429, name), headers: { "Retry-After": "1" } };
      expect(await failure()).toMatchObject({ reason: "busy", retryAfterSeconds: 3600 });
    },
  );

  test("while another request is sending the same mail", async () => {
    answer = fault(409, "concurrent_idempotent_requests");
    expect(await failure()).toMatchObject({ reason: "busy", retryAfterSeconds: 15 });
  });
});

describe("a mail is accepted", () => {
  test("if another one was accepted under its key before", async () => {
    answer = fault(409, "invalid_idempotent_request");
    await expect(send()).resolves.toBeUndefined();
  });

  test.each(["not JSON", "<html>", "{}", "null"])(
    "only if an answer of 200 has its id (not %s), and otherwise comes again under its key",
    async (body) => {
      answer = { status: 200, body };
      await expect(send()).rejects.toMatchObject({ reason: "failed" });
    },
  );
});

test("no error contains the recipient or the content", async () => {
  answer = fault(422, "validation_error", "ada@musicians.example: Hello");
  expect(JSON.stringify(await failure())).not.toMatch(/ada|Hello/);
});
