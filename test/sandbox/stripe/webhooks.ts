/**
 * Sends events to the app's endpoint as Stripe does: signed, at least once, retried with growing
 * delays until the response is 2xx, in no guaranteed order. Tests can hold events back and release
 * them.
 */
import { createHmac } from "node:crypto";
import type { SandboxContext } from "../context.ts";
import type { EventRecord } from "./state.ts";

export interface Endpoint {
  url: string;
  secret: string;
}

export interface Release {
  /** Releases only this musician's events. */
  musician?: string | undefined;
  /** Types or ids that are sent first, in this order; "reverse": newest first. */
  order?: string[] | "reverse" | undefined;
  /** Sends each event twice. */
  twice?: boolean | undefined;
  /** Types or ids that are never sent. */
  drop?: string[] | undefined;
}

/** The result of an attempt; status 0: no response. */
interface Attempt {
  id: string;
  type: string;
  status: number;
}

export interface Webhooks {
  /** null: events are not sent. */
  endpoint: Endpoint | null;
  /** Sends in the background, or holds the event back. */
  send(record: EventRecord): void;
  /** Holds back a musician's events, or all events. */
  hold(musician?: string): void;
  /** Ends the hold, and sends the held events one after the other. */
  release(how: Release): Promise<Attempt[]>;
  /** Resolves when no attempt is under way. Does not wait for retries that are due later. */
  settled(): Promise<void>;
  /** The header `Stripe-Signature` for a body. `timestamp` is in epoch seconds. */
  sign(body: string, timestamp?: number, secret?: string): string;
  /** Ends holds, retries and attempts, and restores the first endpoint. */
  reset(): void;
}

const RETRY_DELAYS_MS = [200, 1_000, 5_000, 15_000, 30_000];
const RESPONSE_TIMEOUT_MS = 10_000;
const EVERYBODY = "*";

/** `defaultSecret` signs while there is no endpoint. */
export function createWebhooks(
  context: SandboxContext,
  initialEndpoint: Endpoint | null,
  defaultSecret: string,
): Webhooks {
  const holds = new Set<string>();
  const held: EventRecord[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const underWay = new Set<Promise<unknown>>();
  let ending = new AbortController();

  function send(record: EventRecord): void {
    if (!webhooks.endpoint) record.delivery = "nowhere";
    else if (holds.has(EVERYBODY) || holds.has(record.musician ?? "")) held.push(record);
    else void attempt(record);
  }

  function attempt(record: EventRecord): Promise<Attempt> {
    const sending = deliver(record).finally(() => underWay.delete(sending));
    underWay.add(sending);
    return sending;
  }

  async function deliver(record: EventRecord): Promise<Attempt> {
    const { id, type } = record.event;
    const { signal } = ending;
    const status = webhooks.endpoint ? await post(webhooks.endpoint, payloadOf(record), signal) : 0;
    if (signal.aborted) return { id, type, status };
    record.attempts += 1;
    context.store.changed();
    const retryDelay = RETRY_DELAYS_MS[record.attempts - 1];
    if (status >= 200 && status < 300) record.delivery = "delivered";
    else if (record.delivery === "pending" && retryDelay === undefined) record.delivery = "failed";
    else if (record.delivery === "pending") sendLater(record, retryDelay);
    return { id, type, status };
  }

  function sendLater(record: EventRecord, ms: number | undefined): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (record.delivery === "pending") send(record);
    }, ms);
    timers.add(timer.unref());
  }

  async function post({ url, secret }: Endpoint, body: string, ended: AbortSignal) {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json; charset=utf-8",
          "User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
          "Stripe-Signature": sign(body, undefined, secret),
        },
        body,
        redirect: "manual",
        signal: AbortSignal.any([ended, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return 0;
    }
  }

  function sign(body: string, timestamp?: number, secret?: string): string {
    const time = timestamp ?? Math.floor(context.now() / 1000);
    const key = secret ?? webhooks.endpoint?.secret ?? defaultSecret;
    return `t=${time},v1=${createHmac("sha256", key).update(`${time}.${body}`).digest("hex")}`;
  }

  function stop(): void {
    ending.abort();
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
  }

  const webhooks: Webhooks = {
    endpoint: initialEndpoint,
    send,
    sign,
    hold: (musician) => void holds.add(musician ?? EVERYBODY),
    async release(how) {
      if (how.musician === undefined) holds.clear();
      else holds.delete(how.musician);
      const released = held.filter(
        ({ musician }) => how.musician === undefined || musician === how.musician,
      );
      for (const record of released) held.splice(held.indexOf(record), 1);
      const attempts: Attempt[] = [];
      for (const record of arrange(released, how)) {
        attempts.push(await attempt(record));
        if (how.twice) attempts.push(await attempt(record));
      }
      return attempts;
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    reset() {
      stop();
      ending = new AbortController();
      holds.clear();
      held.length = 0;
      webhooks.endpoint = initialEndpoint;
    },
  };
  context.closing.push(stop);
  return webhooks;
}

/** The text that is signed and sent. */
export function payloadOf({ event }: EventRecord): string {
  return JSON.stringify(event, null, 2);
}

/** The events to send, in order; marks the others as dropped. */
function arrange(records: EventRecord[], { order = [], drop = [] }: Release): EventRecord[] {
  const indexIn = ({ event }: EventRecord, list: string[]) => {
    const found = list.findIndex((name) => name === event.type || name === event.id);
    return found < 0 ? list.length : found;
  };
  const sent = records.filter((record) => indexIn(record, drop) === drop.length);
  for (const record of records) if (!sent.includes(record)) record.delivery = "dropped";
  // Sorting is stable: equal events keep their order.
  return order === "reverse"
    ? sent.reverse()
    : sent.sort((a, b) => indexIn(a, order) - indexIn(b, order));
}
