import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { gated, hasRow, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { mailboxIn } from "~/db/mailbox";
import { declarations, subscriptions } from "~/db/schema";
import { addressFingerprint } from "~/mailing/suppression.server";
import { type OwedMailServices, oweMail } from "~/outbox/owe-mail.server";
import { readToken, sign } from "~/platform/crypto.server";
import { dayMs, hourMs } from "~/platform/dates";
import { logEvent } from "~/platform/log";
import { BillingError } from "./billing";
import { type DeclarationKind, declarationPurpose, withdrawalMs } from "./declaration";
import { overStatuses } from "./record";
import { type BillingServices, syncCustomer } from "./sync.server";

/** In a day: for one mailbox, from one place, and from all together. */
const most = { mailbox: 3, place: 6, all: 60 };

/** So long the mail's link has before a person is asked. */
const untilPersonMs = hourMs;

interface Declared {
  kind: DeclarationKind;
  address: string;
  /** Of the form. However often it is sent, it counts once. */
  key: string;
  place: string;
}

/**
 * Takes a cancellation or a withdrawal: mails a receipt to the address, whoever has it, and an hour later the operator
 * unless it is done by then (rule 50, cancelling). False beyond the limits.
 */
export async function declare(
  services: OwedMailServices & { secret: string; now: number },
  { kind, address, key, place }: Declared,
): Promise<boolean> {
  const { db, secret, now } = services;
  const id = crypto.randomUUID();
  const fingerprint = await addressFingerprint(secret, address);
  const asker = await sign(secret, "declaration by asker", place);
  const ofToday = (only: SQL) =>
    sql`(SELECT count(*) FROM declarations WHERE created_at > ${now - dayMs} AND ${only})`;
  const gate = insertSelect(db, declarations, {
    row: { id, key, kind, address, fingerprint, asker, createdAt: now },
    from: sql`WHERE ${ofToday(sql`fingerprint = ${fingerprint}`)} < ${most.mailbox}
      AND ${ofToday(sql`asker = ${asker}`)} < ${most.place} AND ${ofToday(sql`true`)} < ${most.all}
      AND NOT EXISTS (SELECT 1 FROM declarations WHERE key = ${key})`,
  }).returning({ id: declarations.id });
  const owed = (kind: "declaration" | "declaration_open", afterMs: number, isTaken: SQL) =>
    oweMail(
      services,
      { userId: null, kind, subjectId: id, now, notBefore: sql`${now + afterMs}` },
      sql`WHERE ${isTaken}`,
    );
  const { taken } = await runBatch(db, {
    declared: gated(gate, hasRow(declarations, id), (isTaken) => ({
      receipt: owed("declaration", 0, isTaken),
      person: owed("declaration_open", untilPersonMs, isTaken),
    })),
    taken: db.select({ id: declarations.id }).from(declarations).where(eq(declarations.key, key)),
  });
  if (taken.length === 0) logEvent("declaration_refused");
  return taken.length > 0;
}

/**
 * A condition on rows of `subscriptions`: a live one of who reads the mails to an address. An address that only Spotify
 * gave counts where its account has no other.
 */
export function isSubscriberAt(address: SQL): SQL {
  return sql`subscriptions.subscription_id IS NOT NULL AND subscriptions.status NOT IN (${overStatuses})
    AND subscriptions.user_id IN (
      SELECT id FROM users WHERE own_email IS NOT NULL AND own_mailbox = ${mailboxIn(address)}
      UNION SELECT id FROM users
        WHERE own_email IS NULL AND email IS NOT NULL AND lower(email) = lower(${address}))`;
}

/** Of a row of `declarations`: done by its own receipt, or since then by another of the same mailbox. */
export const doneAt = sql<number | null>`(SELECT max(same.done_at) FROM declarations AS same
  WHERE same.fingerprint = declarations.fingerprint AND same.kind = declarations.kind
    AND same.done_at >= declarations.created_at)`;

/** Null if the token was altered or made up. `subscriber` is null where not exactly one has that address. */
export async function readDeclaration(db: Database, token: string, secret: string) {
  const id = await readToken(secret, declarationPurpose, token);
  if (id === null) return null;
  const { declared, subscribers } = await runBatch(db, {
    declared: db
      .select({
        id: declarations.id,
        kind: declarations.kind,
        createdAt: declarations.createdAt,
        doneAt: doneAt.as("done"),
      })
      .from(declarations)
      .where(eq(declarations.id, id)),
    subscribers: db
      .select({
        customerId: sql<string>`${subscriptions.customerId}`.as("customer"),
        subscriptionId: sql<string>`${subscriptions.subscriptionId}`.as("subscription"),
        startedAt: subscriptions.startedAt,
        endsAt: subscriptions.cancelAt,
      })
      .from(subscriptions)
      .where(isSubscriberAt(sql`(SELECT address FROM declarations WHERE id = ${id})`))
      .limit(2),
  });
  const [one] = declared;
  if (!one) return null;
  const [only, another] = subscribers;
  const isLate = one.kind === "withdraw" && one.createdAt - (only?.startedAt ?? 0) > withdrawalMs;
  return { ...one, subscriber: another || isLate ? null : (only ?? null) };
}

/**
 * Tells the payment provider what was declared, for whoever has pressed the link in its mail: a cancellation ends the
 * subscription with what is paid for; a withdrawal pays back and ends it at once. Pressed again, it changes nothing.
 */
export async function fulfilDeclaration(
  services: BillingServices & { secret: string },
  token: string,
): Promise<"done" | "no subscriber" | "provider" | null> {
  const { db, billing, secret, now } = services;
  const declared = await readDeclaration(db, token, secret);
  if (!declared || declared.doneAt !== null) return declared && "done";
  const { id, kind, subscriber } = declared;
  if (!subscriber) return "no subscriber";
  const { subscriptionId, customerId } = subscriber;
  try {
    if (kind === "cancel") await billing.cancelSubscription(subscriptionId);
    else {
      await billing.refund(subscriptionId);
      await billing.endSubscription(subscriptionId);
    }
    await db.update(declarations).set({ doneAt: now() }).where(eq(declarations.id, id));
    await syncCustomer(services, customerId);
    return "done";
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    logEvent("declaration_not_done", { kind, error });
    return "provider";
  }
}
