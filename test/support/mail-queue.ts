import type { MailQueue } from "~/outbox/mail-queue.server";

export function noteQueued(): MailQueue & { queued: { outboxId: string; delayMs: number }[] } {
  const queued: { outboxId: string; delayMs: number }[] = [];
  return {
    queued,
    enqueue: (outboxId, delayMs = 0) => void queued.push({ outboxId, delayMs }),
  };
}
