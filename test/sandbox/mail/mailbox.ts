/** The mails that were sent, and their idempotency keys. */
import { randomUUID } from "node:crypto";
import type { SandboxContext } from "../context.ts";
import { musicianFor } from "../musician.ts";
import { addressIn, type Message, recipients } from "./message.ts";

const SECTION = "mail";
const MAX_MAILS = 2_000;

export interface Mail extends Message {
  id: string;
  /** Epoch milliseconds. */
  at: number;
  /** The musician who is the first recipient, or the address. */
  musician: string;
  idempotencyKey: string | null;
  /** What has become of it. */
  lastEvent: "delivered" | "bounced" | "complained" | "suppressed";
}

interface UsedKey {
  /** Epoch milliseconds. */
  at: number;
  /** A hash of the posted body. */
  payload: string;
  /** The mail's id. */
  id: string;
}

export interface Mailbox {
  add(
    message: Message,
    idempotencyKey: string | null,
    lastEvent?: "delivered" | "suppressed",
  ): Mail;
  get(id: string): Mail | undefined;
  /** Notes what has become of a mail. */
  note(mail: Mail, lastEvent: Mail["lastEvent"]): void;
  /** Oldest first; `to` is an address among the recipients. */
  list(filter: { to?: string | undefined; musician?: string | undefined }): Mail[];
  /** By key, oldest first. */
  keys: Map<string, UsedKey>;
}

/** Restores the mails of the last run. A musician's reset removes their mails and those mails' keys. */
export function createMailbox(context: SandboxContext): Mailbox {
  const saved = context.store.load(SECTION) as { mails: Mail[]; keys: [string, UsedKey][] } | null;
  const mails = new Map((saved?.mails ?? []).map((mail) => [mail.id, mail]));
  const keys = new Map(saved?.keys);

  context.store.register(SECTION, () => ({ mails: [...mails.values()], keys: [...keys] }));
  context.resets.push((musician) => {
    for (const mail of mails.values()) {
      if (musician !== undefined && mail.musician !== musician) continue;
      mails.delete(mail.id);
      if (mail.idempotencyKey !== null) keys.delete(mail.idempotencyKey);
    }
    if (musician === undefined) keys.clear();
    context.store.changed();
  });

  return {
    keys,
    add(message, idempotencyKey, lastEvent = "delivered") {
      const musician = musicianOfRecipient(message.to[0] ?? "");
      const about = { id: randomUUID(), at: context.now(), musician, idempotencyKey, lastEvent };
      const mail: Mail = { ...about, ...message };
      mails.set(mail.id, mail);
      for (const oldest of mails.keys()) {
        if (mails.size <= MAX_MAILS) break;
        mails.delete(oldest);
      }
      context.store.changed();
      return mail;
    },
    get: (id) => mails.get(id),
    note(mail, lastEvent) {
      mail.lastEvent = lastEvent;
      context.store.changed();
    },
    list: ({ to, musician }) =>
      [...mails.values()].filter(
        (mail) =>
          (to === undefined || recipients(mail).includes(to.toLowerCase())) &&
          (musician === undefined || mail.musician === musician),
      ),
  };
}

/** The musician with a recipient's address, or the address if no musician has it. */
export function musicianOfRecipient(recipient: string): string {
  const address = addressIn(recipient) ?? recipient;
  return musicianFor(null, address) ?? address;
}
