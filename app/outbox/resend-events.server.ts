import * as z from "zod";
import { fromBase64 } from "~/platform/base64";
import type { MailReturn } from "./mailer";
import { copiedTag } from "./resend.server";

/** Age at which a signature is refused, in seconds, and the most signatures looked at. */
const toleranceSeconds = 300;
const mostSignatures = 4;

const event = z.object({
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
 * Reads an event that Resend has posted. Only a mail of this sender's with one recipient counts, because
 * nobody can say whose a bounce of several was.
 * @param options `secret` is the endpoint's; `sender` the address that mails come from; `now` is in epoch
 *   milliseconds.
 * @returns "unsigned" unless the endpoint's secret signed it within the last 300 seconds; null if it reports
 *   no mail that came back for good, or was reported as spam.
 */
export async function readResendEvent(
  body: string,
  headers: Headers,
  { secret, sender, now }: { secret: string; sender: string; now: number },
): Promise<MailReturn | null | "unsigned"> {
  if (!(await isSigned(body, headers, { secret, now }))) return "unsigned";
  const read = event.safeParse(jsonOf(body));
  if (!read.success) return null;
  const { type, created_at: at, data } = read.data;
  const why = reasonOf(type, data.bounce?.type);
  const [address] = data.to;
  const isOurs = data.from.toLowerCase().replace(/^.*<(.*)>$/s, "$1") === sender.toLowerCase();
  if (!why || !address || !isOurs || data.tags?.[copiedTag.name]) return null;
  return { address, why, at };
}

/** Resend's own list of addresses that it sends nothing to has those that bounced. */
function reasonOf(type: string, bounce = "Permanent"): MailReturn["why"] | null {
  if (type === "email.complained") return "complained";
  if (type === "email.suppressed") return "bounced";
  return type === "email.bounced" && bounce === "Permanent" ? "bounced" : null;
}

/** Checks Svix's signature: HMAC-SHA256 of the message's id, the time in seconds, and the body. */
async function isSigned(
  body: string,
  headers: Headers,
  { secret, now }: { secret: string; now: number },
): Promise<boolean> {
  const time = headers.get("svix-timestamp") ?? "";
  const key = fromBase64(secret.replace(/^whsec_/, ""));
  if (!key || !/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(now / 1000 - Number(time)) > toleranceSeconds) return false;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["verify"]);
  const signed = new TextEncoder().encode(`${headers.get("svix-id")}.${time}.${body}`);
  const signatures = (headers.get("svix-signature") ?? "").split(" ", mostSignatures);
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
