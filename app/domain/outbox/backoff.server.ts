import { MailError, type Mailer } from "~/adapters/mail/mailer";
import { logEvent } from "~/platform/log";

/**
 * How long a batch waits in all, in milliseconds; then its mails come again by the queue. After each
 * wait some are turned away again, and the platform limits how often a batch may ask.
 */
const patienceMs = 5000;

/**
 * A mailer for one batch that waits where the provider wants to be left alone for a moment, and lets
 * no other mail try meanwhile. Waiting costs nothing; a mail that is given back costs several
 * statements, and so does claiming it again.
 * @param wait milliseconds.
 */
export function withBackoff(mailer: Mailer, wait: (ms: number) => Promise<void> = sleep): Mailer {
  let patience = patienceMs;
  /** Resolves when the provider may be asked again. */
  let open = Promise.resolve();
  let waits = 0;
  return {
    async send(mail, key) {
      for (;;) {
        await open;
        const round = waits;
        try {
          return await mailer.send(mail, key);
        } catch (error) {
          const ms = waitOf(error);
          if (ms === null) throw error;
          // Who was turned away along with another waits along with it.
          if (round !== waits) continue;
          if (ms > patience) throw error;
          patience -= ms;
          waits += 1;
          logEvent("mail_limit_waited", { ms });
          open = wait(ms);
        }
      }
    },
  };
}

/** How long the provider wants to be left alone, in milliseconds; null where it does not say so. */
function waitOf(error: unknown): number | null {
  if (!(error instanceof MailError) || error.reason !== "busy") return null;
  return error.retryAfterSeconds === null ? null : error.retryAfterSeconds * 1000;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
