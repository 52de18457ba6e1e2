import * as z from "zod";
import { fromBase64 } from "~/platform/base64";
import { type Caller, fetchAs } from "~/platform/caller";
import type { MailSender, ResendConfig } from "~/platform/env";
import { MailError, type Mailer, type MailReturn, mailTimeoutMs } from "./mailer";

/** Resend does not say when a quota is renewed. */
const quotaWaitSeconds = 3600;
const concurrentWaitSeconds = 15;

/**
 * These headers keep absence notes from being sent back (RFC 3834, and Exchange's own). Exchange still reports
 * failed deliveries, from which Resend learns that an address does not exist.
 */
const automatic = {
  "Auto-Submitted": "auto-generated",
  "X-Auto-Response-Suppress": "OOF, AutoReply",
};

/** Marks a mail with a copy, because Resend does not say from which of its recipients a mail came back. */
const copiedTag = { name: "copied", value: "yes" };

const errorAnswer = z
  .object({ name: z.string(), message: z.string().catch("") })
  .catch({ name: "", message: "" });

const successAnswer = z.object({ id: z.string().min(1) });

/** Resend honours an idempotency key for 24 hours. */
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
          ...(mail.file ? { attachments: [mail.file] } : {}),
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

function throwUnlessAccepted(response: Response, json: unknown): void {
  const { status, headers } = response;
  const { name, message } = errorAnswer.parse(json);
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

/** The key, the sender's domain, and the fields named here are the same in every mail. */
function isSetupFault(status: number, name: string, message: string): boolean {
  if (name === "") return false;
  if ([401, 403].includes(status) || name === "invalid_from_address") return true;
  return [400, 422].includes(status) && /`(from|bcc|reply_to)`|API key/.test(message);
}

/** At most as long as for a quota, because a queue delays a message by half a day at most. */
function retryAfterSeconds(header: string | null): number | null {
  if (!/^\d{1,9}$/.test(header ?? "")) return null;
  return Math.min(Math.max(Number(header), 1), quotaWaitSeconds);
}

const signatureMaxAgeSeconds = 300;
const maxSignatures = 4;

const eventBody = z.object({
  type: z.string(),
  created_at: z.string().transform(Date.parse).pipe(z.int()),
  data: z.object({
    from: z.string(),
    to: z.array(z.string()).length(1),
    bounce: z.object({ type: z.string() }).partial().nullish(),
    tags: z
      .object({ [copiedTag.name]: z.string() })
      .partial()
      .nullish(),
  }),
});

/**
 * Reads an event that Resend has posted; "unsigned" unless the endpoint's secret signed it within the last 300
 * seconds. Only mails with one recipient count, because nobody can say whose a bounce of several was.
 */
export async function readResendEvent(
  body: string,
  headers: Headers,
  { secret, sender, now }: { secret: string; sender: string; now: number },
): Promise<MailReturn | null | "unsigned"> {
  if (!(await isSigned(body, headers, { secret, now }))) return "unsigned";
  const read = eventBody.safeParse(jsonOf(body));
  if (!read.success) return null;
  const { type, created_at: at, data } = read.data;
  const why = reasonOf(type, data.bounce?.type);
  const [address] = data.to;
  const isOurs = data.from.toLowerCase().replace(/^.*<(.*)>$/s, "$1") === sender.toLowerCase();
  if (!why || !address || !isOurs || data.tags?.[copiedTag.name]) return null;
  return { address, why, at };
}

function reasonOf(type: string, bounce = "Permanent"): MailReturn["why"] | null {
  if (type === "email.complained") return "complained";
  if (type === "email.suppressed") return "bounced";
  return type === "email.bounced" && bounce === "Permanent" ? "bounced" : null;
}

/** Svix signs the message's id, the time in seconds, and the body with HMAC-SHA256. */
async function isSigned(
  body: string,
  headers: Headers,
  { secret, now }: { secret: string; now: number },
): Promise<boolean> {
  const time = headers.get("svix-timestamp") ?? "";
  const key = fromBase64(secret.replace(/^whsec_/, ""));
  if (!key || !/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(now / 1000 - Number(time)) > signatureMaxAgeSeconds) return false;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["verify"]);
  const signed = new TextEncoder().encode(`${headers.get("svix-id")}.${time}.${body}`);
  const signatures = (headers.get("svix-signature") ?? "").split(" ", maxSignatures);
  for (const signature of signatures) {
    const bytes = signature.startsWith("v1,") && fromBase64(signature.slice("v1,".length));
    if (bytes && (await crypto.subtle.verify("HMAC", imported, bytes, signed))) return true;
  }
  return false;
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
