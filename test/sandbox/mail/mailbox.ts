/** The mails that were sent, what has become of them, and their idempotency keys. */
import { createHmac, randomUUID } from "node:crypto";
import { musicianFor } from "../catalogue.ts";
import type { SandboxContext } from "../context.ts";
import { createFaults } from "../faults.ts";
import { createPoster } from "../webhooks.ts";
import { addressesOf, addressIn, type Message } from "./message.ts";

/** The secret of the webhook: base64, as Svix makes it. */
const WEBHOOK_SECRET = "whsec_ZGV2ZWxvcG1lbnQtb25seS13ZWJob29rLXNlY3JldA==";
/** Resend's first two; the later ones are hours away. */
const RETRY_DELAYS_MS = [5_000, 300_000];
const SECTION = "mail";

export interface Mail extends Message {
  id: string;
  at: number;
  /** The musician who is the first recipient, or the address. */
  musician: string;
  idempotencyKey: string | null;
  lastEvent: "delivered" | "bounced" | "complained" | "suppressed";
}

interface SignedEvent {
  payload: string;
  headers: Record<string, string>;
}

export type Mailbox = ReturnType<typeof createMailbox>;

/** Restores the mails of the last run. */
export function createMailbox(context: SandboxContext, url: string | null) {
  const saved = context.store.load(SECTION) as { mails: Mail[]; keys: [string, string][] } | null;
  const mails = new Map(saved?.mails.map((mail) => [mail.id, mail]));
  /** The posted bodies, by their keys. */
  const keys = new Map(saved?.keys);
  const refused = new Set<string>();
  /** After a permanent bounce or a complaint nothing is sent to an address. */
  const suppressed = new Set<string>();
  const lostAnswers = createFaults();
  const { post } = createPoster(context, url, RETRY_DELAYS_MS);

  context.store.register(SECTION, () => ({ mails: [...mails.values()], keys: [...keys] }));
  context.resets.push((musician) => {
    lostAnswers.clear(musician);
    for (const mail of mails.values()) {
      if (musician !== undefined && mail.musician !== musician) continue;
      mails.delete(mail.id);
      keys.delete(mail.idempotencyKey ?? "");
    }
    for (const addresses of [refused, suppressed]) {
      for (const address of addresses) {
        if (musician === undefined || musicianOfRecipient(address) === musician) {
          addresses.delete(address);
        }
      }
    }
    context.store.changed();
  });

  function sign(
    payload: string,
    { id = `msg_${randomUUID()}`, timestamp = 0, secret = WEBHOOK_SECRET } = {},
  ): SignedEvent {
    const time = timestamp || Math.floor(context.now() / 1000);
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    const signature = createHmac("sha256", key).update(`${id}.${time}.${payload}`).digest("base64");
    const headers = {
      "svix-id": id,
      "svix-timestamp": `${time}`,
      "svix-signature": `v1,${signature}`,
    };
    return { payload, headers };
  }

  function heldBack({ to }: Pick<Mail, "to">): string[] {
    return addressesOf(to).filter((address) => suppressed.has(address));
  }

  /** Sends an event about a mail. The status is that of the app's answer. */
  async function happen(
    mail: Mail,
    type: string,
    { bounce = "Permanent", at = context.now() } = {},
  ): Promise<{ event: SignedEvent; status: number | null }> {
    const isBounce = type === "email.bounced" && bounce === "Permanent";
    if (isBounce || type === "email.complained") {
      mail.lastEvent = isBounce ? "bounced" : "complained";
      for (const address of addressesOf(mail.to)) suppressed.add(address);
      context.store.changed();
    }
    const event = sign(JSON.stringify(eventOf(mail, type, bounce, at)));
    const id = event.headers["svix-id"] ?? "";
    return { event, status: await post(event.payload, () => sign(event.payload, { id }).headers) };
  }

  return {
    context,
    mails,
    keys,
    refused,
    suppressed,
    lostAnswers,
    sign,
    heldBack,
    happen,
    add(message: Message, idempotencyKey: string | null): Mail {
      const isHeldBack = heldBack(message).length > 0;
      const mail: Mail = {
        id: randomUUID(),
        at: context.now(),
        musician: musicianOfRecipient(message.to[0] ?? ""),
        idempotencyKey,
        lastEvent: isHeldBack ? "suppressed" : "delivered",
        ...message,
      };
      mails.set(mail.id, mail);
      context.store.changed();
      if (isHeldBack) void happen(mail, "email.suppressed");
      return mail;
    },
    list: (to?: string): Mail[] =>
      [...mails.values()].filter(
        (mail) =>
          to === undefined || addressesOf([...mail.to, ...mail.bcc]).includes(to.toLowerCase()),
      ),
  };
}

/** The musician with a recipient's address, or the address if no musician has it. */
export function musicianOfRecipient(recipient: string): string {
  const address = addressIn(recipient) ?? recipient;
  return musicianFor(null, address) ?? address;
}

function eventOf(
  { id, at, from, to, subject, tags }: Mail,
  type: string,
  bounce: string,
  happened: number,
) {
  const details = { message: "smtp; 550 5.1.1 user unknown", subType: "General", type: bounce };
  return {
    type,
    created_at: new Date(happened).toISOString(),
    data: {
      created_at: new Date(at).toISOString().replace("Z", "+00:00"),
      email_id: id,
      from,
      // All of them: Resend does not say which of several it was. Copies are not among them.
      to: to.map((one) => addressIn(one) ?? one),
      subject,
      ...(type === "email.bounced" ? { bounce: details } : {}),
      tags,
    },
  };
}
