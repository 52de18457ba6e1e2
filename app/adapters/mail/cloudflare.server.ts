import type { MailSender } from "~/platform/env";
import { MailError, type Mailer, mailTimeoutMs } from "./mailer";

/** How long to wait once the daily limit is used up, in seconds. */
const dailyWaitSeconds = 3600;

/** The error code for a recipient that will never be accepted. */
const refusalCode = "E_RECIPIENT_SUPPRESSED";

/**
 * The error codes for a sender's domain that is not onboarded, and for a binding or an account that may
 * not send to everybody.
 */
const setupCodes = new Set([
  "E_SENDER_NOT_VERIFIED",
  "E_SENDER_DOMAIN_NOT_AVAILABLE",
  "E_RECIPIENT_NOT_ALLOWED",
]);

/**
 * Sends mails through the platform's own `send_email` binding. It does not support idempotency keys:
 * if its answer is lost, or the Worker dies before saving the answer, the mail goes out twice.
 */
export function createCloudflareMailer(binding: SendEmail, sender: MailSender): Mailer {
  const from = { name: sender.name, email: sender.address };
  return {
    async send({ bcc, ...mail }) {
      const sending = binding.send({
        from,
        replyTo: sender.replyTo,
        ...mail,
        ...(bcc ? { bcc } : {}),
      });
      const result = await Promise.race([
        sending.catch((error) => rethrow(error, bcc === null)),
        timeout(),
      ]);
      if (result === "timeout") throw new MailError("failed", "unreachable");
    },
  };
}

async function timeout(): Promise<"timeout"> {
  await new Promise((resolve) => setTimeout(resolve, mailTimeoutMs));
  return "timeout";
}

/**
 * Throws the binding's error as a MailError.
 * @param isOnlyRecipient whether a refused recipient can only be the one the mail is for.
 */
function rethrow(error: unknown, isOnlyRecipient: boolean): never {
  const given = (error as { code?: unknown } | null)?.code;
  const code = typeof given === "string" && /^\w{1,60}$/.test(given) ? given : "unknown";
  if (code === "E_RATE_LIMIT_EXCEEDED") throw new MailError("busy", code);
  if (code === "E_DAILY_LIMIT_EXCEEDED") throw new MailError("busy", code, dailyWaitSeconds);
  if (setupCodes.has(code)) throw new MailError("setup", code);
  throw new MailError(isOnlyRecipient && code === refusalCode ? "refused" : "failed", code);
}
