import { MailError, type Mailer, type MailSender, mailTimeoutMs } from "./mailer";

/** How long a used-up daily limit is left alone, in seconds. */
const dailyWaitSeconds = 3600;

/** Codes that say that a recipient will never be written to. */
const refusals = new Set(["E_RECIPIENT_NOT_ALLOWED", "E_RECIPIENT_SUPPRESSED"]);

/**
 * Mails through the platform's own `send_email` binding. It knows no idempotency key: where an
 * answer is lost on the way, or the Worker dies before it is written down, the mail goes out twice.
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
        sending.catch((error) => explain(error, bcc === null)),
        late(),
      ]);
      if (result === "late") throw new MailError("failed", "unreachable");
    },
  };
}

async function late(): Promise<"late"> {
  await new Promise((resolve) => setTimeout(resolve, mailTimeoutMs));
  return "late";
}

/** @param alone there is one recipient, whom a refusal can mean. */
function explain(error: unknown, alone: boolean): never {
  const told = (error as { code?: unknown } | null)?.code;
  const code = typeof told === "string" && /^\w{1,60}$/.test(told) ? told : "unknown";
  if (code === "E_RATE_LIMIT_EXCEEDED") throw new MailError("busy", code);
  if (code === "E_DAILY_LIMIT_EXCEEDED") throw new MailError("busy", code, dailyWaitSeconds);
  throw new MailError(alone && refusals.has(code) ? "refused" : "failed", code);
}
