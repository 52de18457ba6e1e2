import type { MailQueue } from "~/outbox/mail-queue.server";

/** A mail queue that delivers nothing and records what was queued. */
export function noteQueued(): MailQueue & { queued: { outboxId: string; delayMs: number }[] } {
  const queued: { outboxId: string; delayMs: number }[] = [];
  return {
    queued,
    enqueue: (outboxId, delayMs = 0) => void queued.push({ outboxId, delayMs }),
  };
}
