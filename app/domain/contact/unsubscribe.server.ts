import type { Database } from "~/db/client.server";
import { isSigned, sign } from "~/platform/crypto.server";
import type { MailTopic } from "./email-preferences";
import { savePreference, selectEmailPreferences } from "./email-preferences.server";

const purpose = "unsubscribe";

/** The user and the topic that an unsubscribe link is for. */
interface Subscriber {
  userId: string;
  topic: MailTopic;
  /** Whether the user wants these mails now. */
  wanted: boolean;
}

/** The mails that a link ends: a user's, on a topic, as sent to an address. */
interface SignedMails {
  userId: string;
  topic: MailTopic;
  address: string;
}

/**
 * The token of the link that ends a user's mails on a topic. It is only valid for the address that it
 * was mailed to: once the user's mails go elsewhere, it opens nothing.
 */
export async function unsubscribeToken(secret: string, mails: SignedMails): Promise<string> {
  return `${mails.topic}.${mails.userId}.${await sign(secret, purpose, textToSign(mails))}`;
}

/** Whom a token is for; null if it was altered, made up, or mailed to an earlier address. */
export async function readSubscriber(
  db: Database,
  token: string,
  secret: string,
): Promise<Subscriber | null> {
  const [topic, userId, signature, ...more] = token.split(".");
  if ((topic !== "rating" && topic !== "subscription") || !userId || !signature || more.length) {
    return null;
  }
  const [preferences] = await selectEmailPreferences(db, userId);
  if (!preferences?.address) return null;
  const text = textToSign({ userId, topic, address: preferences.address });
  if (!(await isSigned(signature, { secret, purpose, text }))) return null;
  return { userId, topic, wanted: preferences[topic] };
}

/**
 * Switches the mails that a token is for on or off.
 * @param options `secret` signed the token; `now` is in epoch milliseconds.
 * @returns null as `readSubscriber` does.
 */
export async function switchMails(
  db: Database,
  token: string,
  { secret, wanted, now }: { secret: string; wanted: boolean; now: number },
): Promise<Subscriber | null> {
  const subscriber = await readSubscriber(db, token, secret);
  if (!subscriber) return null;
  const { userId, topic } = subscriber;
  if (subscriber.wanted !== wanted) await savePreference(db, userId, { topic, wanted, now });
  return { ...subscriber, wanted };
}

function textToSign({ userId, topic, address }: SignedMails): string {
  return `${topic}\n${userId}\n${address.toLowerCase()}`;
}
