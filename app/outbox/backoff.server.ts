import { logEvent } from "~/platform/log";
import { MailError, type Mailer } from "./mailer";

/**
 * The longest time that a batch may wait in all, in milliseconds; mails that would have to wait longer go
 * back to the queue. Waiting can be in vain, and the platform limits how many requests a batch may make.
 */
const maxTotalWaitMs = 5000;

/**
 * A mailer for one batch that waits when the provider is at its rate limit, if the provider says for
 * how long, and then sends the mail again. Meanwhile no other mail of the batch is tried. Waiting here
 * costs nothing, while giving a mail back to the queue costs several statements.
 * @param wait waits for some milliseconds.
 */
export function withBackoff(mailer: Mailer, wait: (ms: number) => Promise<void> = sleep): Mailer {
  let waitLeftMs = maxTotalWaitMs;
  /** Resolves when the provider may be asked again. */
  let pause = Promise.resolve();
  let pauses = 0;
  return {
    async send(mail, key) {
      for (;;) {
        await pause;
        const pausesBefore = pauses;
        try {
          return await mailer.send(mail, key);
        } catch (error) {
          const ms = requestedWaitMs(error);
          if (ms === null) throw error;
          // Another mail met the same limit at the same time: this one shares its pause.
          if (pauses !== pausesBefore) continue;
          if (ms > waitLeftMs) throw error;
          waitLeftMs -= ms;
          pauses += 1;
          logEvent("mail_rate_limited", { ms });
          pause = wait(ms);
        }
      }
    },
  };
}

/** The wait that the provider asks for, in milliseconds; null if it asks for none. */
function requestedWaitMs(error: unknown): number | null {
  if (!(error instanceof MailError) || error.reason !== "busy") return null;
  return error.retryAfterSeconds === null ? null : error.retryAfterSeconds * 1000;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
