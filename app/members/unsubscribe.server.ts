import type { Database } from "~/db/client.server";
import { isSigned, sign } from "~/platform/crypto.server";
import { type MailTopic, mailTopics } from "./email-preferences";
import { addressFingerprint, selectSuppressed, suppressMails } from "./suppression.server";

const purpose = "unsubscribe";

/**
 * The token of the link that ends the mails on a topic to an address. It names the address by its
 * fingerprint and no account, so it works whatever has become of the account since.
 */
export async function unsubscribeToken(
  secret: string,
  { topic, address }: { topic: MailTopic; address: string },
): Promise<string> {
  const fingerprint = await addressFingerprint(secret, address);
  return `${topic}.${fingerprint}.${await sign(secret, purpose, `${topic}\n${fingerprint}`)}`;
}

/** The mails that a token ends; null if it was altered or made up. */
async function readToken(token: string, secret: string) {
  const [name, fingerprint, signature, ...more] = token.split(".");
  const topic = mailTopics.find((one) => one === name);
  if (!topic || !fingerprint || !signature || more.length > 0) return null;
  const text = `${topic}\n${fingerprint}`;
  return (await isSigned(signature, { secret, purpose, text })) ? { topic, fingerprint } : null;
}

/** The topic of a token, and whether its mails have ended; null if it was altered or made up. */
export async function readSubscription(
  db: Database,
  token: string,
  secret: string,
): Promise<{ topic: MailTopic; ended: boolean } | null> {
  const mails = await readToken(token, secret);
  if (!mails) return null;
  const ended = await selectSuppressed(db, mails.fingerprint);
  return { topic: mails.topic, ended: ended.some(({ topic }) => topic === mails.topic) };
}

/**
 * Ends the mails that a token is for.
 * @returns whether the token is ours; if it was altered or made up, nothing changes.
 */
export async function unsubscribe(db: Database, token: string, secret: string): Promise<boolean> {
  const mails = await readToken(token, secret);
  if (!mails) return false;
  await suppressMails(db, mails.fingerprint, mails.topic);
  return true;
}
