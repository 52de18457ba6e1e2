/**
 * Sends events to the app's endpoint as Stripe does: signed, at least once, again after growing
 * pauses until it answers 2xx, in no promised order. Tests hold events back and release them.
 */
import { createHmac } from "node:crypto";
import type { SandboxContext } from "../context.ts";
import type { EventRecord } from "./state.ts";

export interface Endpoint {
  url: string;
  secret: string;
}

export interface Release {
  /** Whose events; without, everybody's. */
  musician?: string | undefined;
  /** Types or ids that go first, in this order; "reverse": the newest first. */
  order?: string[] | "reverse" | undefined;
  /** Everything is sent twice. */
  twice?: boolean | undefined;
  /** Types or ids that are never sent. */
  drop?: string[] | undefined;
}

/** What became of an attempt; status 0: no answer. */
export interface Attempt {
  id: string;
  type: string;
  status: number;
}

export interface Webhooks {
  /** null: events go nowhere. */
  endpoint: Endpoint | null;
  /** Never waits. */
  send(record: EventRecord): void;
  /** Keeps a musician's events back, or everybody's. */
  hold(musician?: string): void;
  /** Ends the hold; sends what was kept back one after the other, and answers how that went. */
  release(how: Release): Promise<Attempt[]>;
  /** Resolves when every attempt under way was answered; pauses before retries are not waited for. */
  settled(): Promise<void>;
  /** The header `Stripe-Signature` for a body; epoch seconds. */
  sign(body: string, timestamp?: number, secret?: string): string;
  /** Ends holds, retries and attempts. */
  reset(): void;
}

const RETRY_AFTER_MS = [200, 1_000, 5_000, 15_000, 30_000];
const ANSWER_WITHIN_MS = 10_000;
const EVERYBODY = "*";

export function createWebhooks(
  context: SandboxContext,
  first: Endpoint | null,
  standardSecret: string,
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
    const trying = deliver(record).finally(() => underWay.delete(trying));
    underWay.add(trying);
    return trying;
  }

  async function deliver(record: EventRecord): Promise<Attempt> {
    const { id, type } = record.event;
    const { signal } = ending;
    const status = webhooks.endpoint ? await post(webhooks.endpoint, bodyOf(record), signal) : 0;
    if (signal.aborted) return { id, type, status };
    record.attempts += 1;
    context.store.changed();
    const pause = RETRY_AFTER_MS[record.attempts - 1];
    if (status >= 200 && status < 300) record.delivery = "delivered";
    else if (record.delivery === "pending" && pause === undefined) record.delivery = "failed";
    else if (record.delivery === "pending") sendLater(record, pause);
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
        signal: AbortSignal.any([ended, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return 0;
    }
  }

  function sign(body: string, timestamp?: number, secret?: string): string {
    const time = timestamp ?? Math.floor(context.now() / 1000);
    const key = secret ?? webhooks.endpoint?.secret ?? standardSecret;
    return `t=${time},v1=${createHmac("sha256", key).update(`${time}.${body}`).digest("hex")}`;
  }

  function stop(): void {
    ending.abort();
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
  }

  const webhooks: Webhooks = {
    endpoint: first,
    send,
    sign,
    hold: (musician) => void holds.add(musician ?? EVERYBODY),
    async release(how) {
      if (how.musician === undefined) holds.clear();
      else holds.delete(how.musician);
      const theirs = held.filter(
        ({ musician }) => how.musician === undefined || musician === how.musician,
      );
      for (const record of theirs) held.splice(held.indexOf(record), 1);
      const attempts: Attempt[] = [];
      for (const record of arranged(theirs, how)) {
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
      webhooks.endpoint = first;
    },
  };
  context.closing.push(stop);
  return webhooks;
}

/** The bytes that are signed and sent. */
export function bodyOf({ event }: EventRecord): string {
  return JSON.stringify(event, null, 2);
}

function arranged(records: EventRecord[], { order = [], drop = [] }: Release): EventRecord[] {
  const place = ({ event }: EventRecord, list: string[]) => {
    const found = list.findIndex((name) => name === event.type || name === event.id);
    return found < 0 ? list.length : found;
  };
  const sent = records.filter((record) => place(record, drop) === drop.length);
  for (const record of records) if (!sent.includes(record)) record.delivery = "dropped";
  // Sorting keeps the order among equals.
  return order === "reverse"
    ? sent.reverse()
    : sent.sort((a, b) => place(a, order) - place(b, order));
}
