import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { createDatabase } from "~/db/client.server";
import type { Score } from "~/exchange/rating/scale";
import { letterReader } from "~/letters/letters.server";
import { requestConfirmation } from "~/mailing/address.server";
import { consumeOutbox } from "~/outbox/consumer.server";
import type { DeliveryDependencies } from "~/outbox/deliver.server";
import type { Mailer, OutgoingMail } from "~/outbox/mailer";
import type { MailKind } from "~/outbox/owe-mail.server";
import { createResend } from "~/outbox/resend.server";
import { readConfig } from "~/platform/env";
import { outboxRow } from "../sandbox/rows";
import {
  baseTime,
  insert,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
  unique,
} from "./database/factories";
import { row, rows } from "./database/rows";
import { noteQueued } from "./mail-queue";
import { request } from "./request";
import { control, type SandboxRequest, sandboxRequests } from "./sandbox";
import { worker } from "./worker";

export async function oweRating(
  song: TestSong,
  { notBefore = baseTime, ...rating }: { score?: Score; at?: number; notBefore?: number } = {},
): Promise<string> {
  const ratingId = await makeRating(await makeUser(), song, rating);
  await env.DB.prepare("UPDATE ratings SET owes_mail = 1 WHERE id = ?").bind(ratingId).run();
  return owe(song.ownerId, "rating", ratingId, notBefore);
}

/** A mail about a rating that is owed to somebody. */
export async function owed(options: { notBefore?: number } = {}) {
  const owner = await makeUser();
  const song = await makeSong(owner);
  return { owner, song, to: addressOf(owner), id: await oweRating(song, options) };
}

export async function oweSubmission(song: TestSong, notBefore = baseTime): Promise<string> {
  const last = "SELECT id FROM submissions WHERE song_id = ? ORDER BY number DESC";
  const submission = await env.DB.prepare(last).bind(song.id).first<string>("id");
  return owe(song.ownerId, "submission", submission ?? "", notBefore);
}

export async function owe(
  userId: string,
  kind: MailKind,
  subject = unique("subject"),
  notBefore = baseTime,
): Promise<string> {
  const id = unique("outbox");
  const times = { created_at: baseTime, not_before: notBefore };
  await insert(
    "outbox",
    outboxRow({ id, user_id: userId, kind, subject_id: subject, ...times }),
  ).run();
  return id;
}

export async function askToConfirm(
  userId: string,
  address: string,
  now = Date.now(),
): Promise<string> {
  const secret = readConfig(env).sessionSecret;
  const mailQueue = noteQueued();
  const options = { secret, mailQueue, now, places: [`${crypto.randomUUID()}`], perDay: 60 };
  const services = { db: createDatabase(env.DB), ...options };
  const refusal = await requestConfirmation(userId, address, services);
  if (refusal) throw new Error(refusal.error);
  const [queued, ...more] = mailQueue.queued;
  if (!queued || more.length > 0) throw new Error("not one mail was queued");
  return queued.outboxId;
}

/** The outcome of a message: acknowledged, to come again after a number of seconds, or neither. */
type Outcome = "done" | number | "unsettled";

/** Hands messages to the built Worker in one batch; a string stands for the message of that outbox row. */
export function deliver(
  bodies: unknown[],
  changed: Record<string, unknown> = {},
  queue = "fivefold-outbox",
): Promise<Outcome[]> {
  return handle(bodies, queue, (batch, execution) =>
    worker.queue(batch, { ...env, ...changed }, execution),
  );
}

/** Hands over messages, which are all done then. */
export async function delivers(...bodies: unknown[]): Promise<void> {
  expect(await deliver(bodies)).toEqual(bodies.map(() => "done"));
}

/** What is on record of a mail. */
export async function expectMail(id: string, having: Record<string, unknown>): Promise<void> {
  expect(await row("outbox", { id })).toMatchObject(having);
}

/** Delivers whatever is owed. */
export async function deliverAll(): Promise<void> {
  const owed = await rows("outbox");
  if (owed.length > 0) await deliver(owed.map(({ id }) => id));
}

/** Hands messages to the consumer itself, for faults and times that the Worker cannot be given. */
export function consume(
  bodies: unknown[],
  parts: Partial<DeliveryDependencies> = {},
): Promise<Outcome[]> {
  const services = {
    db: createDatabase(env.DB),
    mailer: resend(),
    config: readConfig(env),
    now: Date.now,
    ...parts,
  };
  const dependencies = { readLetters: letterReader(services), ...services };
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
  // The queue's result does not contain the delays.
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

export function resend(): Mailer {
  const config = readConfig(env);
  return createResend(config.resend, config.mailSender, config);
}

/** A provider that throws these errors one after the other, and then accepts every mail. */
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
  attachments: { filename: string; content: string }[];
}

/** Includes copies, oldest first. */
export async function mailsTo(address: string): Promise<Received[]> {
  return (await control<{ mails: Received[] }>("mails", { to: address })).mails;
}

/** The only one. */
export async function mailTo(address: string): Promise<Received> {
  const mails = await mailsTo(address);
  expect(mails, `mails to ${address}`).toHaveLength(1);
  return mails[0] as Received;
}

/** The attempts to send mails, oldest first. */
export async function postsTo(address: string): Promise<SandboxRequest[]> {
  return (await sandboxRequests(address)).filter(({ service }) => service === "resend");
}

export function failMails(address: string, fault: Record<string, unknown>): Promise<unknown> {
  return control("fail", { musician: address, route: "POST /emails", ...fault });
}

export interface SignedEvent {
  payload: string;
  headers: Record<string, string>;
}

/** The event that the stand-in sends when something happens to the last mail to an address. */
export async function mailEvent(
  to: string,
  type: string,
  more: { at?: number } = {},
): Promise<SignedEvent> {
  return (await control<{ event: SignedEvent }>("mailEvent", { to, type, ...more })).event;
}

export function postMailEvent(
  { payload, headers }: SignedEvent,
  bindings: Partial<typeof env> = {},
): Promise<Response> {
  return request("/webhooks/resend", {
    body: payload,
    headers: { "Content-Type": "application/json", ...headers },
    bindings: { ...env, ...bindings },
  });
}

export function addressOf({ id }: { id: string }): string {
  return `${id}@musicians.example`;
}

export async function mailRow(id: string): Promise<Record<string, unknown>> {
  const row = await env.DB.prepare("SELECT * FROM outbox WHERE id = ?").bind(id).first();
  if (!row) throw new Error(`there is no row ${id}`);
  return row;
}

export async function letTimePass(): Promise<void> {
  await env.DB.prepare("UPDATE outbox SET not_before = 1 WHERE state = 'pending'").run();
}
