/** Mails as tests inside workerd see them: rows of the outbox, the queue's messages, the mailbox. */
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Mailer, OutgoingMail } from "~/adapters/mail/mailer";
import { createResend } from "~/adapters/mail/resend.server";
import { createDatabase } from "~/db/client.server";
import { requestConfirmation } from "~/domain/contact/address.server";
import { consumeOutbox } from "~/domain/outbox/consumer.server";
import type { DeliveryDependencies } from "~/domain/outbox/deliver.server";
import type { MailKind } from "~/domain/owed-mail/owe-mail.server";
import type { Score } from "~/domain/rating/scale";
import { readConfig } from "~/platform/env";
// @ts-expect-error: the bundle, which may not have been built yet, has no types.
import bundle from "../../build/index.js";
import {
  baseTime,
  insert,
  makeRating,
  makeUser,
  type TestSong,
  unique,
} from "./database/factories";
import { noteQueued } from "./mail-queue";
import { control, type SandboxRequest, sandboxRequests } from "./sandbox";

const worker: { queue: ExportedHandlerQueueHandler<Cloudflare.Env, unknown> } = bundle;

/** A rating that owes a mail; answers the id of its row, which is due where nothing else is said. */
export async function oweRating(
  song: TestSong,
  { notBefore = baseTime, ...rating }: { score?: Score; at?: number; notBefore?: number } = {},
): Promise<string> {
  const ratingId = await makeRating(await makeUser(), song, rating);
  await env.DB.prepare("UPDATE ratings SET owes_mail = 1 WHERE id = ?").bind(ratingId).run();
  return owe(song.ownerId, "rating", ratingId, notBefore);
}

/** The mail that a song's last submission owes; answers the id of its row. */
export async function oweSubmission(song: TestSong, notBefore = baseTime): Promise<string> {
  const last = "SELECT id FROM submissions WHERE song_id = ? ORDER BY number DESC";
  const submission = await env.DB.prepare(last).bind(song.id).first<string>("id");
  return owe(song.ownerId, "submission", submission ?? "", notBefore);
}

/** A mail owed to a user; answers the id of its row. */
export async function owe(
  userId: string,
  kind: MailKind,
  subject = unique("subject"),
  notBefore = baseTime,
): Promise<string> {
  const id = unique("outbox");
  await insert("outbox", {
    id,
    user_id: userId,
    kind,
    subject_id: subject,
    dedupe_key: `${kind}:${subject}`,
    created_at: baseTime,
    not_before: notBefore,
  }).run();
  return id;
}

/** Requests the confirmation of an address; answers the id of the row whose mail has the link. */
export async function askToConfirm(
  userId: string,
  address: string,
  now = Date.now(),
): Promise<string> {
  const secret = readConfig(env).sessionSecret;
  const mailQueue = noteQueued();
  const options = { secret, mailQueue, now };
  const refusal = await requestConfirmation(createDatabase(env.DB), userId, address, options);
  if (refusal) throw new Error(refusal.error);
  const [queued, ...more] = mailQueue.queued;
  if (!queued || more.length > 0) throw new Error("not one mail was queued");
  return queued.outboxId;
}

/** What became of a message: it is done with, or comes again after so many seconds. */
export type Outcome = "done" | number | "unsettled";

/**
 * Hands messages to the built Worker in one batch; a string stands for the id of a row.
 * @param changed bindings that are not those of the others.
 * @returns what became of each.
 */
export function deliver(
  bodies: unknown[],
  changed: Record<string, unknown> = {},
  queue = "fivefold-outbox",
): Promise<Outcome[]> {
  return handle(bodies, queue, (batch, execution) =>
    worker.queue(batch, { ...env, ...changed }, execution),
  );
}

/** The same by the consumer alone, for faults and times that the Worker cannot be given. */
export function consume(
  bodies: unknown[],
  parts: Partial<DeliveryDependencies> = {},
): Promise<Outcome[]> {
  const dependencies = {
    db: createDatabase(env.DB),
    mailer: resend(),
    config: readConfig(env),
    now: Date.now,
    ...parts,
  };
  return handle(bodies, "fivefold-outbox", (batch) => consumeOutbox(batch, dependencies));
}

async function handle(
  bodies: unknown[],
  queue: string,
  run: (batch: MessageBatch<unknown>, execution: ExecutionContext) => unknown,
): Promise<Outcome[]> {
  const messages = bodies.map((body, index) => ({
    id: String(index),
    timestamp: new Date(baseTime),
    attempts: 1,
    body: typeof body === "string" ? { outboxId: body } : body,
  }));
  const batch = createMessageBatch<unknown>(queue, messages);
  const execution = createExecutionContext();
  // The result does not say with what delay.
  const delays = new Map<string, Outcome>();
  const watched = batch.messages.map((message) => ({
    ...{ id: message.id, timestamp: message.timestamp, attempts: message.attempts },
    body: message.body,
    ack: () => message.ack(),
    retry(options?: QueueRetryOptions) {
      delays.set(message.id, options?.delaySeconds ?? "unsettled");
      message.retry(options);
    },
  }));
  await run({ queue, messages: watched } as unknown as MessageBatch<unknown>, execution);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, execution);
  return messages.map(({ id }) => {
    if (explicitAcks.includes(id)) return "done";
    const again = retryMessages.some(({ msgId }) => msgId === id);
    return (again && delays.get(id)) || "unsettled";
  });
}

/** The stand-in for Resend. */
export function resend(): Mailer {
  const { resend: parts, sender } = readConfig(env).mail;
  if (!parts) throw new Error("mails do not go through Resend");
  return createResend(parts, sender);
}

/** A provider that throws these errors one after the other, then takes what comes. */
export function stubMailer(...faults: Error[]): Mailer & {
  sent: { mail: OutgoingMail; key: string }[];
} {
  const sent: { mail: OutgoingMail; key: string }[] = [];
  return {
    sent,
    async send(mail, key) {
      sent.push({ mail, key });
      const fault = faults.shift();
      if (fault) throw fault;
    },
  };
}

/** A mail in the stand-in's mailbox. */
export interface Received {
  from: string;
  to: string[];
  bcc: string[];
  replyTo: string[];
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
  idempotencyKey: string;
}

/** The mails that an address got, copies included, the oldest first. */
export async function mailsTo(address: string): Promise<Received[]> {
  return (await control<{ mails: Received[] }>("mails", { to: address })).mails;
}

/** The attempts at mails to an address, the oldest first. */
export async function postsTo(address: string): Promise<SandboxRequest[]> {
  return (await sandboxRequests(address)).filter(({ service }) => service === "resend");
}

/** Orders that the next attempts at mails to an address fail. */
export function failMails(address: string, fault: Record<string, unknown>): Promise<unknown> {
  return control("fail", { musician: address, route: "POST /emails", ...fault });
}

/** The address that Spotify gave of a user made by the factories. */
export function addressOf({ id }: { id: string }): string {
  return `${id}@musicians.example`;
}

/** A row of the outbox as it stands. */
export async function mailRow(id: string): Promise<Record<string, unknown>> {
  const row = await env.DB.prepare("SELECT * FROM outbox WHERE id = ?").bind(id).first();
  if (!row) throw new Error(`there is no row ${id}`);
  return row;
}

/** Lets the time come at which every mail is tried again. */
export async function letTimePass(): Promise<void> {
  await env.DB.prepare("UPDATE outbox SET not_before = 1 WHERE state = 'pending'").run();
}
