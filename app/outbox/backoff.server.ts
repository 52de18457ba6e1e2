import { logEvent } from "~/platform/log";
import { MailError, type Mailer } from "./mailer";

/** Mails of a batch that would have to wait longer in all go back to the queue. */
const maxTotalWaitMs = 5000;

/** All mails of a batch wait out a rate limit here, because giving one back to the queue costs statements. */
export function withBackoff(mailer: Mailer, wait: (ms: number) => Promise<void> = sleep): Mailer {
  let waitLeftMs = maxTotalWaitMs;
  let pause = Promise.resolve();
  return {
    async send(mail, key) {
      for (;;) {
        await pause;
        const lastPause = pause;
        try {
          return await mailer.send(mail, key);
        } catch (error) {
          const ms = requestedWaitMs(error);
          if (ms === null) throw error;
          // Another mail met the same limit at the same time, and this one shares its pause.
          if (pause !== lastPause) continue;
          if (ms > waitLeftMs) throw error;
          waitLeftMs -= ms;
          logEvent("mail_rate_limited", { ms });
          pause = wait(ms);
        }
      }
    },
  };
}

function requestedWaitMs(error: unknown): number | null {
  if (!(error instanceof MailError) || error.reason !== "busy") return null;
  return error.retryAfterSeconds === null ? null : error.retryAfterSeconds * 1000;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
