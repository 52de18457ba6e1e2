import type { Database } from "~/db/client.server";
import { isSigned, sign } from "~/platform/crypto.server";
import { savePreference, selectMailSettings } from "./preferences.server";
import type { MailTopic } from "./topics";

const purpose = "unsubscribe";

/** Whose mails a link switches off or on, and how they stand. */
export interface Subscriber {
  userId: string;
  topic: MailTopic;
  wanted: boolean;
}

/**
 * The token of the link that ends a user's mails on a topic. It speaks for the address it was
 * mailed to: once mails go to another one, it opens nothing.
 */
export async function unsubscribeToken(
  secret: string,
  userId: string,
  topic: MailTopic,
  address: string,
): Promise<string> {
  return `${topic}.${userId}.${await sign(secret, purpose, signed(userId, topic, address))}`;
}

/** Who a token speaks for; null where it was altered, made up, or mailed to an earlier address. */
export async function readSubscriber(
  db: Database,
  secret: string,
  token: string,
): Promise<Subscriber | null> {
  const [topic, userId, signature, ...more] = token.split(".");
  if ((topic !== "rating" && topic !== "subscription") || !userId || !signature || more.length) {
    return null;
  }
  const [settings] = await selectMailSettings(db, userId);
  if (!settings?.address) return null;
  const text = signed(userId, topic, settings.address);
  if (!(await isSigned(secret, purpose, text, signature))) return null;
  return { userId, topic, wanted: settings[topic] };
}

/** Switches the mails that a token speaks for; null as for `readSubscriber`. */
export async function switchMails(
  db: Database,
  secret: string,
  token: string,
  wanted: boolean,
  now: number,
): Promise<Subscriber | null> {
  const subscriber = await readSubscriber(db, secret, token);
  if (!subscriber) return null;
  const { userId, topic } = subscriber;
  if (subscriber.wanted !== wanted) await savePreference(db, userId, topic, wanted, now);
  return { ...subscriber, wanted };
}

function signed(userId: string, topic: MailTopic, address: string): string {
  return `${topic}\n${userId}\n${address.toLowerCase()}`;
}
