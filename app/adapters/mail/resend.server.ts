import * as z from "zod";
import { MailError, type Mailer, type MailSender, mailTimeoutMs } from "./mailer";

export interface ResendParts {
  /** Scheme and host, and a path where it is a stand-in; no trailing slash. */
  apiUrl: string;
  apiKey: string;
}

/** How long a used-up quota is left alone; Resend does not say when there is more, in seconds. */
const quotaWaitSeconds = 3600;
/** How long another request with the same mail may take, in seconds. */
const underWayWaitSeconds = 15;

const fault = z.object({ name: z.string(), message: z.string().catch("") });

const taken = z.object({ id: z.string().min(1) });

/** Mails through Resend's HTTP API, which honours an idempotency key for 24 hours. */
export function createResend({ apiUrl, apiKey }: ResendParts, sender: MailSender): Mailer {
  return {
    async send(mail, key) {
      const { response, json } = await post(`${apiUrl}/emails`, {
        headers: {
          Authorization: `Bearer ${apiKey}`,
          "Content-Type": "application/json",
          "Idempotency-Key": key,
          // Resend turns away what does not say what it is.
          "User-Agent": "fivefold",
        },
        body: JSON.stringify({
          from: `${sender.name} <${sender.address}>`,
          to: [mail.to],
          ...(mail.bcc ? { bcc: [mail.bcc] } : {}),
          reply_to: sender.replyTo,
          subject: mail.subject,
          html: mail.html,
          text: mail.text,
          headers: mail.headers,
        }),
      });
      if (!response.ok) refuse(response, json);
      // Whatever sits in between may answer 200 as well; Resend names the mail it has taken.
      else if (!taken.safeParse(json).success) throw new MailError("failed", "200 unreadable");
    },
  };
}

async function post(url: string, init: RequestInit) {
  try {
    const signal = AbortSignal.timeout(mailTimeoutMs);
    const response = await fetch(url, { method: "POST", ...init, signal });
    return { response, json: await response.json().catch(() => null) };
  } catch {
    throw new MailError("failed", "unreachable");
  }
}

/** Returns where the mail was taken before; else throws. */
function refuse(response: Response, json: unknown): void {
  const { status, headers } = response;
  const parsed = fault.safeParse(json);
  const { name, message } = parsed.success ? parsed.data : { name: "", message: "" };
  const code = /^\w{1,60}$/.test(name) ? `${status} ${name}` : `${status}`;
  // A mail under this key, which differs, has been taken within the last day.
  if (name === "invalid_idempotent_request") return;
  if (name === "concurrent_idempotent_requests") {
    throw new MailError("busy", code, underWayWaitSeconds);
  }
  if (name.endsWith("quota_exceeded")) throw new MailError("busy", code, quotaWaitSeconds);
  if (status === 429) throw new MailError("busy", code, seconds(headers.get("Retry-After")));
  // Only a recipient is a mail's own fault. Any other field is the operator's to mend, and every
  // mail's: those must not be lost.
  const aboutRecipient = [400, 422].includes(status) && message.includes("`to`");
  throw new MailError(aboutRecipient ? "refused" : "failed", code);
}

/** At least a second, and no longer than for a quota: queues hold a message for half a day at most. */
function seconds(header: string | null): number | null {
  if (!/^\d{1,9}$/.test(header ?? "")) return null;
  return Math.min(Math.max(Number(header), 1), quotaWaitSeconds);
}
