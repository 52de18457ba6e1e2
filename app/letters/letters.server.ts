import type { DatabaseAndClock } from "~/db/client.server";
import type { ReadLetters } from "~/outbox/letter";
import { chooseRecipient, composeMail, type MailConfig } from "./compose.server";
import { readMailFacts } from "./facts.server";

/** The reader of the product's letters, for the outbox, which sends them without knowing what they say. */
export function letterReader({
  db,
  config,
  now,
}: DatabaseAndClock & { config: MailConfig }): ReadLetters {
  return async (ids) => {
    const facts = await readMailFacts(db, ids, { secret: config.sessionSecret, now: now() });
    return new Map(
      [...facts].map(([id, its]) => [
        id,
        {
          recipient: () => chooseRecipient(its, config),
          compose: (unsubscribeUrl) => composeMail(its, unsubscribeUrl, config),
        },
      ]),
    );
  };
}
