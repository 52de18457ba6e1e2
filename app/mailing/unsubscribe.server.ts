import type { Database } from "~/db/client.server";
import { readToken, signToken } from "~/platform/crypto.server";
import { type MailTopic, mailTopics } from "./email-preferences";
import { addressFingerprint, selectSuppressed, suppressMails } from "./suppression.server";

const purpose = "unsubscribe";

/**
 * Names the address by its fingerprint and no account, so the link works whatever has become of the account.
 */
export async function unsubscribeToken(
  secret: string,
  { topic, address }: { topic: MailTopic; address: string },
): Promise<string> {
  const fingerprint = await addressFingerprint(secret, address);
  return (await signToken(secret, purpose, `${topic}\n${fingerprint}`)).replace("\n", ".");
}

/** Null if the token was altered or made up. */
async function readMails(token: string, secret: string) {
  const signed = token.replace(".", "\n");
  const [name, fingerprint] = (await readToken(secret, purpose, signed))?.split("\n") ?? [];
  const topic = mailTopics.find((one) => one === name);
  return topic && fingerprint ? { topic, fingerprint } : null;
}

export async function readSubscription(
  db: Database,
  token: string,
  secret: string,
): Promise<{ topic: MailTopic; ended: boolean } | null> {
  const mails = await readMails(token, secret);
  if (!mails) return null;
  const ended = await selectSuppressed(db, mails.fingerprint);
  return { topic: mails.topic, ended: ended.some(({ topic }) => topic === mails.topic) };
}

/** False if the token was altered or made up. */
export async function unsubscribe(db: Database, token: string, secret: string): Promise<boolean> {
  const mails = await readMails(token, secret);
  if (!mails) return false;
  await suppressMails(db, mails.fingerprint, mails.topic);
  return true;
}
