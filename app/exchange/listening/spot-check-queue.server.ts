import { logEvent } from "~/platform/log";

/** A message of the queue, which asks for one spot check of a listen. */
export interface SpotCheckMessage {
  listenId: string;
  /** The listen's `observedAt` when the check was queued. A listen with another one has been checked since. */
  after: number | null;
  /** Checks of this listen so far that did not settle it. */
  failed?: number;
}

/** The queue that spot checks wait in. Its delay alone decides when one runs. */
export interface SpotCheckQueue {
  /**
   * Queues a check, without waiting for it. If that fails, the listen goes without: the listener is not to
   * suffer for it.
   */
  enqueue(message: SpotCheckMessage, delaySeconds: number): void;
}

/** The queue on a Cloudflare Queue; `waitUntil` keeps the Worker running until it has the message. */
export function createSpotCheckQueue(
  queue: Pick<Queue<SpotCheckMessage>, "send">,
  waitUntil: (work: Promise<unknown>) => void,
): SpotCheckQueue {
  async function send(message: SpotCheckMessage, delaySeconds: number): Promise<void> {
    try {
      await queue.send(message, { delaySeconds });
    } catch (error) {
      logEvent("spot_check_enqueue_failed", { error });
    }
  }
  return { enqueue: (message, delaySeconds) => waitUntil(send(message, delaySeconds)) };
}
