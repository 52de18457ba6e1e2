import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MailError, mailTimeoutMs, type OutgoingMail } from "~/outbox/mailer";
import { createResend } from "~/outbox/resend.server";

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
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "OOF, AutoReply",
      "List-Unsubscribe": "<https://fivefold.example/unsubscribe>",
    },
  });
});

test("a mail has a copy if there is an address for it", async () => {
  await send({ bcc: "owner@fivefold.example" });
  expect(asked[0]?.body).toMatchObject({ bcc: ["owner@fivefold.example"] });
});

const toRefused = "Invalid `to` field.";

test.each<[reason: string, waits: number | null, status: number, name: string, message?: string]>([
  // The recipient.
  ["refused", null, 400, "validation_error", toRefused],
  ["refused", null, 422, "validation_error", toRefused],
  // Something else about the mail, or Resend itself.
  ["failed", null, 404, "not_found"],
  ["failed", null, 405, "method_not_allowed"],
  ["failed", null, 400, "validation_error"],
  ["failed", null, 422, "missing_required_field"],
  ["failed", null, 451, "security_error"],
  ["failed", null, 500, "application_error"],
  ["failed", null, 503, "service_unavailable"],
  // What the operator has set up.
  ["setup", null, 401, "missing_api_key"],
  ["setup", null, 401, "restricted_api_key", "This API key is restricted to only send emails"],
  ["setup", null, 401, "validation_error", "API key is invalid"],
  ["setup", null, 400, "validation_error", "API key is invalid"],
  ["setup", null, 403, "invalid_api_key"],
  ["setup", null, 403, "validation_error", "The fivefold.example domain is not verified."],
  ["setup", null, 403, "validation_error", "You can only send to your own `to` address."],
  ["setup", null, 422, "invalid_from_address"],
  ["setup", null, 422, "validation_error", "Invalid `from` field."],
  ["setup", null, 422, "validation_error", "Invalid `bcc` field."],
  ["setup", null, 422, "validation_error", "Invalid `reply_to` field."],
  // Limits: the rate, a quota that is used up, and the same mail on its way.
  ["busy", 1, 429, "rate_limit_exceeded"],
  ["busy", 3600, 429, "daily_quota_exceeded"],
  ["busy", 3600, 429, "monthly_quota_exceeded"],
  ["busy", 15, 409, "concurrent_idempotent_requests"],
])("a mail is %s, for %s s, because of %i %s: %s", async (reason, wait, status, name, message) => {
  const headers = status === 429 ? { "Retry-After": "1" } : {};
  answer = { ...fault(status, name, message), headers };
  const told = { reason, message: `${status} ${name}`, retryAfterSeconds: wait };
  expect(await failure()).toEqual(told);
});

test.each<[what: string, given: Answer | null, message: string]>([
  ["HTML", { status: 502, body: "<html>Bad gateway</html>" }, "502"],
  ["nothing", { status: 502, body: "" }, "502"],
  ["null", { status: 502, body: "null" }, "502"],
  ["an error without a name", { status: 502, body: '{"message":"no"}' }, "502"],
  ["an invalid name", { status: 502, body: '{"name":"ada@musicians.example"}' }, "502"],
  ["an overlong name", { status: 502, body: JSON.stringify({ name: "x".repeat(61) }) }, "502"],
  ["a refusal on the way to Resend", { status: 403, body: "error code: 1010" }, "403"],
  ["a cut connection", null, "unreachable"],
])(
  "a mail may be tried again after %s, and the error names nothing else",
  async (_, given, message) => {
    answer = given;
    expect(await failure()).toMatchObject({ reason: "failed", message });
  },
);

test("a mail may be tried again if no answer comes in time", async () => {
  const over = AbortSignal.abort(new DOMException("late", "TimeoutError"));
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(over);
  expect(await failure()).toMatchObject({ reason: "failed", message: "unreachable" });
  expect(timeout).toHaveBeenCalledWith(mailTimeoutMs);
});

test.each([
  ["7", 7],
  ["0", 1],
  ["999999", 3600],
  ["soon", null],
  ["-1", null],
  ["1.5", null],
  ["Wed, 21 Oct 2026 07:28:00 GMT", null],
  [null, null],
])(
  "at its rate limit Resend is not asked again for as long as it says: %s",
  async (header, wait) => {
    const headers = header === null ? {} : { "Retry-After": header };
    answer = { ...fault(429, "rate_limit_exceeded"), headers };
    expect(await failure()).toMatchObject({ reason: "busy", retryAfterSeconds: wait });
  },
);

test("a mail is accepted if another one was accepted under its key before", async () => {
  answer = fault(409, "invalid_idempotent_request");
  await expect(send()).resolves.toBeUndefined();
});

test.each(["not JSON", "<html>", "{}", "null"])(
  "a mail is accepted only if an answer of 200 has its id (not %s), and otherwise comes again under its key",
  async (body) => {
    answer = { status: 200, body };
    await expect(send()).rejects.toMatchObject({ reason: "failed" });
  },
);

test("no error contains the recipient or the content", async () => {
  answer = fault(422, "validation_error", "ada@musicians.example: Hello");
  expect(JSON.stringify(await failure())).not.toMatch(/ada|Hello/);
});
