import { afterEach, describe, expect, test, vi } from "vitest";
import { createMailer } from "~/adapters/mail/client.server";
import { MailError, mailTimeoutMs, type OutgoingMail } from "~/adapters/mail/mailer";

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

const caller = { appOrigin: "https://fivefold.example", contactEmail: sender.replyTo };

function mailerOn(send: (mail: unknown) => Promise<unknown>) {
  return createMailer({ sender, resend: null }, caller, { send } as unknown as SendEmail);
}

/** The error of a mail if the binding throws this. */
async function failure(thrown: unknown) {
  const mailer = mailerOn(async () => {
    throw thrown;
  });
  const error = await mailer.send(mail, "a-key").catch((caught: unknown) => caught);
  if (!(error instanceof MailError)) throw new Error("no failure of a mail");
  const { reason, message, retryAfterSeconds } = error;
  return { reason, message, retryAfterSeconds };
}

function coded(code: unknown): Error {
  return Object.assign(new Error("It is no use: ada@musicians.example"), { code });
}

afterEach(() => void vi.useRealTimers());

test("a mail is sent in the platform's format, with a copy if there is one", async () => {
  const sent: unknown[] = [];
  const mailer = mailerOn(async (one) => sent.push(one));
  await mailer.send(mail, "a-key");
  await mailer.send({ ...mail, bcc: "owner@fivefold.example" }, "a-key");
  const expected = {
    from: { name: "Fivefold", email: "ratings@fivefold.example" },
    replyTo: "support@fivefold.example",
    to: "ada@musicians.example",
    subject: "A subject",
    html: "<p>Hello</p>",
    text: "Hello",
    headers: mail.headers,
  };
  expect(sent).toEqual([expected, { ...expected, bcc: "owner@fivefold.example" }]);
});

describe("a mail that is not accepted", () => {
  test.each([
    ["E_RECIPIENT_SUPPRESSED", "refused", null],
    ["E_SENDER_NOT_VERIFIED", "setup", null],
    ["E_SENDER_DOMAIN_NOT_AVAILABLE", "setup", null],
    ["E_RECIPIENT_NOT_ALLOWED", "setup", null],
    ["E_RATE_LIMIT_EXCEEDED", "busy", null],
    ["E_DAILY_LIMIT_EXCEEDED", "busy", 3600],
    ["E_VALIDATION_ERROR", "failed", null],
    ["E_DELIVERY_FAILED", "failed", null],
    ["E_INTERNAL_SERVER_ERROR", "failed", null],
  ])("because of %s is %s, for %s s", async (code, reason, retryAfterSeconds) => {
    expect(await failure(coded(code))).toEqual({ reason, message: code, retryAfterSeconds });
  });

  test.each([
    coded(undefined),
    coded(7),
    coded("ada@musicians.example"),
    "a text",
    null,
    undefined,
  ])(
    "without a proper code (%#) may be tried again, and its error reveals nothing",
    async (thrown) => {
      expect(await failure(thrown)).toMatchObject({ reason: "failed", message: "unknown" });
    },
  );

  test("in time may have been accepted, and may be tried again", async () => {
    vi.useFakeTimers();
    const sending = mailerOn(() => new Promise(() => {})).send(mail, "a-key");
    const told = expect(sending).rejects.toMatchObject({
      reason: "failed",
      message: "unreachable",
    });
    await vi.advanceTimersByTimeAsync(mailTimeoutMs);
    await told;
  });

  test("after the time limit does no harm", async () => {
    vi.useFakeTimers();
    let fail = (_: Error) => {};
    const hanging = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const told = expect(mailerOn(() => hanging).send(mail, "a-key")).rejects.toThrow("unreachable");
    await vi.advanceTimersByTimeAsync(mailTimeoutMs);
    await told;
    fail(coded("E_DELIVERY_FAILED"));
    await vi.advanceTimersByTimeAsync(1);
  });
});

test("no mailer is created without a provider", () => {
  expect(() => createMailer({ sender, resend: null }, caller)).toThrow("EMAIL");
});
