/** What recipients and their servers make of a mail, and what Resend then does. */
import type { Mail } from "./mailbox.ts";
import { addressIn } from "./message.ts";
import type { MailService } from "./service.ts";
import type { BounceType, MailEvent, SignedEvent } from "./webhooks.ts";

/**
 * Something happens to a mail, of which an event is sent. After a permanent bounce or a complaint nothing is
 * sent to its recipients any more.
 */
export async function happen(
  { mailbox, suppressed, webhooks }: MailService,
  mail: Mail,
  type: MailEvent,
  more: { bounce?: BounceType; at?: number } = {},
): Promise<{ event: SignedEvent; status: number | null }> {
  const isBounce = type === "email.bounced" && (more.bounce ?? "Permanent") === "Permanent";
  if (isBounce || type === "email.complained") {
    mailbox.note(mail, isBounce ? "bounced" : "complained");
    for (const address of addressesOf(mail)) suppressed.add(address);
  }
  const event = webhooks.event(mail, type, more);
  return { event, status: await webhooks.send(event) };
}

/** The addresses of a mail's recipients that nothing is sent to any more. */
export function heldBack({ suppressed }: MailService, mail: Pick<Mail, "to">): string[] {
  return addressesOf(mail).filter((address) => suppressed.has(address));
}

function addressesOf({ to }: Pick<Mail, "to">): string[] {
  return to.map((entry) => (addressIn(entry) ?? entry).toLowerCase());
}
