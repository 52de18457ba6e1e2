/** Events about mails, sent to the app's endpoint as Resend does: signed by Svix, and again until the answer is 2xx. */
import { createHmac, randomUUID } from "node:crypto";
import type { SandboxContext } from "../context.ts";
import type { Endpoint } from "../stripe/webhooks.ts";
import type { Mail } from "./mailbox.ts";
import { addressIn } from "./message.ts";

/** What happened to a mail. */
export const MAIL_EVENTS = [
  "email.delivered",
  "email.delivery_delayed",
  "email.bounced",
  "email.complained",
  "email.suppressed",
  "email.failed",
] as const;
export type MailEvent = (typeof MAIL_EVENTS)[number];
export const BOUNCE_TYPES = ["Permanent", "Transient", "Undetermined"] as const;
export type BounceType = (typeof BOUNCE_TYPES)[number];

/** A body with the headers that sign it, ready to be posted. */
export interface SignedEvent {
  payload: string;
  headers: Record<string, string>;
}

export interface MailWebhooks {
  /** null: events are not sent. */
  endpoint: Endpoint | null;
  /** An event about a mail; `at` is in epoch milliseconds. */
  event(mail: Mail, type: MailEvent, more?: { bounce?: BounceType; at?: number }): SignedEvent;
  /** The headers for a body. `timestamp` is in epoch seconds. */
  sign(payload: string, more?: { id?: string; timestamp?: number; secret?: string }): SignedEvent;
  /** Sends an event. Returns the status of the first answer; 0 without one, null if events go nowhere. */
  send(event: SignedEvent): Promise<number | null>;
  reset(): void;
}

/** Resend's first two; the later ones are hours away. */
const RETRY_DELAYS_MS = [5_000, 300_000];
const RESPONSE_TIMEOUT_MS = 10_000;

/** `defaultSecret` signs while there is no endpoint. */
export function createMailWebhooks(
  context: SandboxContext,
  initialEndpoint: Endpoint | null,
  defaultSecret: string,
): MailWebhooks {
  const timers = new Set<NodeJS.Timeout>();

  function sign(
    payload: string,
    { id = `msg_${randomUUID()}`, timestamp, secret }: Parameters<MailWebhooks["sign"]>[1] = {},
  ): SignedEvent {
    const time = timestamp ?? Math.floor(context.now() / 1000);
    const whole = secret ?? webhooks.endpoint?.secret ?? defaultSecret;
    const key = Buffer.from(whole.replace(/^whsec_/, ""), "base64");
    const signature = createHmac("sha256", key).update(`${id}.${time}.${payload}`).digest("base64");
    return {
      payload,
      headers: {
        "svix-id": id,
        "svix-timestamp": String(time),
        "svix-signature": `v1,${signature}`,
      },
    };
  }

  async function send(event: SignedEvent, attempt = 0): Promise<number | null> {
    if (!webhooks.endpoint) return null;
    const status = await post(webhooks.endpoint.url, event);
    const delay = RETRY_DELAYS_MS[attempt];
    if ((status < 200 || status >= 300) && delay !== undefined) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        // Each attempt is signed at its own time, under the same id.
        void send(sign(event.payload, { id: event.headers["svix-id"] ?? "" }), attempt + 1);
      }, delay);
      timers.add(timer.unref());
    }
    return status;
  }

  function stop(): void {
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
  }

  const webhooks: MailWebhooks = {
    endpoint: initialEndpoint,
    sign,
    send: (event) => send(event),
    event: (mail, type, more = {}) =>
      sign(JSON.stringify(payloadOf(mail, type, more, context.now()))),
    reset() {
      stop();
      webhooks.endpoint = initialEndpoint;
    },
  };
  context.closing.push(stop);
  return webhooks;
}

async function post(url: string, { payload, headers }: SignedEvent): Promise<number> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "Svix-Webhooks/1.84",
        ...headers,
      },
      body: payload,
      redirect: "manual",
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

function payloadOf(
  { id, at, from, to, subject, tags }: Mail,
  type: MailEvent,
  { bounce = "Permanent", at: happened }: { bounce?: BounceType; at?: number },
  now: number,
) {
  return {
    type,
    created_at: new Date(happened ?? now).toISOString(),
    data: {
      created_at: new Date(at).toISOString().replace("Z", "+00:00"),
      email_id: id,
      from,
      // All of them: Resend does not say which of several it was. Copies are not among them.
      to: to.map((entry) => addressIn(entry) ?? entry),
      subject,
      ...(type === "email.bounced"
        ? {
            bounce: {
              message: "smtp; 550 5.1.1 user unknown",
              subType: "General",
              type: bounce,
            },
          }
        : {}),
      tags,
    },
  };
}
