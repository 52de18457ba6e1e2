import { logEvent } from "~/platform/log";

/** The queue of the mails that are owed. */
export interface MailQueue {
  /**
   * Queues the mail of an outbox row, without waiting for it. If that fails, the row is still there
   * and the sweep queues it later.
   * @param delayMs the time until the mail may be sent, in milliseconds.
   */
  enqueue(outboxId: string, delayMs?: number): void;
}

/** The mail queue on a Cloudflare Queue; `waitUntil` keeps the Worker running until it has the message. */
export function createMailQueue(
  queue: Pick<Queue<{ outboxId: string }>, "send">,
  waitUntil: (work: Promise<unknown>) => void,
): MailQueue {
  async function send(outboxId: string, delayMs: number): Promise<void> {
    try {
      await queue.send({ outboxId }, { delaySeconds: Math.ceil(delayMs / 1000) });
    } catch (error) {
      logEvent("outbox_enqueue_failed", { outboxId, error });
    }
  }
  return {
    enqueue: (outboxId, delayMs = 0) => waitUntil(send(outboxId, delayMs)),
  };
}
