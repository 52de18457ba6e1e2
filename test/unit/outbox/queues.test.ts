import { afterEach, describe, expect, test, vi } from "vitest";
import { createMailQueue } from "~/outbox/mail-queue.server";
import { createSpotCheckQueue } from "~/sources/spotify/spot-check.server";

type Send = () => Promise<never>;
type WaitUntil = (work: Promise<unknown>) => void;

const queues = {
  mails: {
    enqueue: (send: Send, waitUntil: WaitUntil) =>
      createMailQueue({ send }, waitUntil).enqueue("outbox-1"),
    event: "outbox_enqueue_failed",
  },
  "spot checks": {
    enqueue: (send: Send, waitUntil: WaitUntil) =>
      createSpotCheckQueue({ send }, waitUntil).enqueue({ listenId: "listen-1", after: null }, 7),
    event: "spot_check_enqueue_failed",
  },
};

afterEach(() => {
  vi.restoreAllMocks();
});

/** Queues something, in a queue that answers when it is told to. */
function enqueued({ enqueue }: (typeof queues)[keyof typeof queues]) {
  const answer = Promise.withResolvers<never>();
  const works: Promise<unknown>[] = [];
  enqueue(
    () => answer.promise,
    (work) => void works.push(work),
  );
  expect(works).toHaveLength(1);
  return { answer, work: works[0] };
}

describe.each(Object.entries(queues))("the queue of the %s", (_name, queue) => {
  test("keeps the Worker running until it has answered", async () => {
    const { answer, work } = enqueued(queue);
    const first = await Promise.race([work?.then(() => "the work"), laterTurn()]);
    expect(first).toBe("nothing yet");
    answer.resolve(undefined as never);
    await expect(work).resolves.toBeUndefined();
  });

  test("is logged where it refuses, and breaks nothing", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const { answer, work } = enqueued(queue);
    answer.reject(new Error("Queue overloaded"));
    await expect(work).resolves.toBeUndefined();
    const events = log.mock.calls.map(([line]) => JSON.parse(String(line)).event);
    expect(events).toEqual([queue.event]);
  });
});

/** Resolves once all that could go on at once has gone on. */
function laterTurn(): Promise<string> {
  return new Promise((resolve) => setImmediate(resolve, "nothing yet"));
}
