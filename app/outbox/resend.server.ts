import * as z from "zod";
import { type Caller, fetchAs } from "~/platform/caller";
import type { MailSender, ResendConfig } from "~/platform/env";
import { MailError, type Mailer, mailTimeoutMs } from "./mailer";

/** Wait once a quota is used up, in seconds. Resend does not say when it is renewed. */
const quotaWaitSeconds = 3600;
/** Wait for another request with the same mail, in seconds. */
const concurrentWaitSeconds = 15;

/**
 * Headers that keep absence notes from being sent back (RFC 3834, and Exchange's own). Exchange is not asked
 * to suppress reports of failed delivery, by which Resend learns that an address does not exist.
 */
const automatic = {
  "Auto-Submitted": "auto-generated",
  "X-Auto-Response-Suppress": "OOF, AutoReply",
};

/** Marks a mail with a copy: Resend does not say from which of its recipients a mail came back. */
export const copiedTag = { name: "copied", value: "yes" };

const errorAnswer = z.object({ name: z.string(), message: z.string().catch("") });

const successAnswer = z.object({ id: z.string().min(1) });

/** Sends mails through Resend's HTTP API, which honours an idempotency key for 24 hours. */
export function createResend(
  { apiUrl, apiKey }: Pick<ResendConfig, "apiUrl" | "apiKey">,
  sender: MailSender,
  caller: Caller,
): Mailer {
  // Resend rejects requests without a User-Agent.
  const fetch = fetchAs(caller);
  return {
    async send(mail, key) {
      const { response, json } = await post(fetch, `${apiUrl}/emails`, {
        headers: {
          Authorization: `Bearer ${apiKey}`,
          "Content-Type": "application/json",
          "Idempotency-Key": key,
        },
        body: JSON.stringify({
          from: `${sender.name} <${sender.address}>`,
          to: [mail.to],
          ...(mail.bcc ? { bcc: [mail.bcc], tags: [copiedTag] } : {}),
          reply_to: sender.replyTo,
          subject: mail.subject,
          html: mail.html,
          text: mail.text,
          headers: { ...automatic, ...mail.headers },
        }),
      });
      if (!response.ok) throwUnlessAccepted(response, json);
      // A proxy on the way may answer 200 as well; only Resend's own answer has the mail's id.
      else if (!successAnswer.safeParse(json).success) {
        throw new MailError("failed", "200 unreadable");
      }
    },
  };
}

async function post(fetch: typeof globalThis.fetch, url: string, init: RequestInit) {
  try {
    const signal = AbortSignal.timeout(mailTimeoutMs);
    const response = await fetch(url, { method: "POST", ...init, signal });
    return { response, json: await response.json().catch(() => null) };
  } catch {
    throw new MailError("failed", "unreachable");
  }
}

/** Throws the meaning of an error answer. Returns if Resend has already accepted the mail. */
function throwUnlessAccepted(response: Response, json: unknown): void {
  const { status, headers } = response;
  const parsed = errorAnswer.safeParse(json);
  const { name, message } = parsed.success ? parsed.data : { name: "", message: "" };
  const code = /^\w{1,60}$/.test(name) ? `${status} ${name}` : `${status}`;
  // Within the last day Resend has accepted a mail under this key, with other content.
  if (name === "invalid_idempotent_request") return;
  if (name === "concurrent_idempotent_requests") {
    throw new MailError("busy", code, concurrentWaitSeconds);
  }
  if (name.endsWith("quota_exceeded")) throw new MailError("busy", code, quotaWaitSeconds);
  if (status === 429) {
    throw new MailError("busy", code, retryAfterSeconds(headers.get("Retry-After")));
  }
  if (isSetupFault(status, name, message)) throw new MailError("setup", code);
  const aboutRecipient = [400, 422].includes(status) && message.includes("`to`");
  throw new MailError(aboutRecipient ? "refused" : "failed", code);
}

/**
 * Checks whether only the operator can mend what Resend itself complains of. Its 401 and 403 are about the
 * key (missing, invalid, restricted to something else) or the sender's domain (not verified, or for tests
 * alone); the fields named here hold the same addresses in every mail.
 */
function isSetupFault(status: number, name: string, message: string): boolean {
  if (name === "") return false;
  if ([401, 403].includes(status) || name === "invalid_from_address") return true;
  return [400, 422].includes(status) && /`(from|bcc|reply_to)`|API key/.test(message);
}

/**
 * The seconds of a Retry-After header, at least one and at most as long as for a quota: a queue can
 * delay a message by half a day at most. Null if the header does not say.
 */
function retryAfterSeconds(header: string | null): number | null {
  if (!/^\d{1,9}$/.test(header ?? "")) return null;
  return Math.min(Math.max(Number(header), 1), quotaWaitSeconds);
}
