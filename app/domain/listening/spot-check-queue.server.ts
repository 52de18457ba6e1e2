import { logEvent } from "~/platform/log";

/** What a message of the queue asks for: one look at a listen. */
export interface SpotCheckMessage {
  listenId: string;
  /** The last moment at which the listen was seen; whatever it says by now, another check saw to. */
  after: number | null;
  /** How many checks of this listen could not vouch for it so far. */
  failed?: number;
}

/** The queue that spot checks wait in. Its delay is all that decides when one runs. */
export interface SpotCheckQueue {
  /**
   * Queues a check, without waiting for it. If that fails, the listen goes without: that is not the
   * listener's fault.
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
