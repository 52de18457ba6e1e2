/** Spot checks for worker tests: queued checks are recorded, and run when the test says so. */
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createDatabase } from "~/db/client.server";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import type { SpotCheckMessage, SpotCheckQueue } from "~/sources/spotify/spot-check.server";
import { consumeSpotChecks } from "~/sources/spotify/spot-check.server";
import { worker } from "./worker";

/** The services of a listen in tests without spot checks; random numbers are always 0.5. */
export const noSpotChecks = {
  spotChecks: { enqueue: () => undefined } satisfies SpotCheckQueue,
  random: () => 0.5,
};

/** A queue that records its messages with their delays. */
export function notedSpotChecks() {
  const queued: { message: SpotCheckMessage; delaySeconds: number }[] = [];
  const spotChecks: SpotCheckQueue = {
    enqueue: (message, delaySeconds) => void queued.push({ message, delaySeconds }),
  };
  return { queued, spotChecks, random: () => 0.5 };
}

export async function runSpotCheck(
  message: unknown,
  at: number,
  { spotify, ...rest }: ReturnType<typeof notedSpotChecks> & { spotify: Spotify },
): Promise<"ack" | "retry" | undefined> {
  let outcome: "ack" | "retry" | undefined;
  const services = {
    ...rest,
    db: createDatabase(env.DB),
    spotify: () => spotify,
    now: () => at,
    wait: async () => undefined,
  };
  const ack = () => {
    outcome = "ack";
  };
  const retry = () => {
    outcome = "retry";
  };
  await consumeSpotChecks({ messages: [{ body: message, ack, retry }] }, services);
  return outcome;
}

/** Hands a message to the built Worker and returns the number of acknowledged ones. */
export async function deliverSpotCheck(
  message: SpotCheckMessage,
  changed: Record<string, unknown> = {},
): Promise<number> {
  const batch = createMessageBatch("fivefold-spot-checks", [
    { id: "1", timestamp: new Date(), attempts: 1, body: message },
  ]);
  const execution = createExecutionContext();
  await worker.queue(batch, { ...env, ...changed }, execution);
  return (await getQueueResult(batch, execution)).explicitAcks.length;
}
