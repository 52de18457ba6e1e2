import type { MailSender } from "~/platform/env";
import { MailError, type Mailer, mailTimeoutMs } from "./mailer";

/** How long to wait once the daily limit is used up, in seconds. */
const dailyWaitSeconds = 3600;

/** The error codes for a recipient that will never be accepted. */
const refusalCodes = new Set(["E_RECIPIENT_NOT_ALLOWED", "E_RECIPIENT_SUPPRESSED"]);

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
  throw new MailError(isOnlyRecipient && refusalCodes.has(code) ? "refused" : "failed", code);
}
