/** What is mailed to an address so that its reader proves to be one: to log in (rule 41, codes), or to confirm it (rule 35, confirmations). */
import { and, type SQL, sql } from "drizzle-orm";
import { gated, hasRow, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import type { proofsCountedBy } from "~/db/rules";
import { mailedProofs } from "~/db/schema";
import { type MailKind, type OwedMailServices, oweMail } from "~/outbox/owe-mail.server";
import { sign } from "~/platform/crypto.server";
import { addressFingerprint } from "./suppression.server";

type Proof = Omit<typeof mailedProofs.$inferInsert, "askedBy" | "number" | "createdAt"> & {
  askedBy: string | SQL<string>;
  number?: SQL<number>;
};

/** How many are mailed within a time that are alike in all the columns. */
export type Limit = [
  most: number | SQL,
  withinMs: number,
  ...columns: (typeof proofsCountedBy)[number][],
];

export interface ProofServices extends OwedMailServices {
  secret: string;
  now: number;
  /** The network that asks: its narrowest place, and those around it (`placesOf`). */
  places: string[];
  /** Codes of logins that are mailed a day before there are members. Of confirmations it is half as many. */
  perDay: number;
}

interface Asked {
  mail: { kind: MailKind; userId: string | null };
  limits: Limit[];
  /** Until when all together are as many as are mailed, in milliseconds; 0 if they are not. */
  allUntil: SQL<number>;
  condition?: SQL;
}

/** Mails a proof. Otherwise returns until when its own limits, and those of all together, are reached. */
export async function mailProof(
  services: ProofServices,
  asked: Proof,
  { mail, limits, allUntil, condition = sql`true` }: Asked,
): Promise<{ own: number; all: number } | null> {
  const { db, secret, now, places } = services;
  const { id, kind, address } = asked;
  const [fingerprint, asker = "", asker56 = null, asker48 = null] = await Promise.all([
    addressFingerprint(secret, address),
    ...places.map((place) => sign(secret, "proof by asker", place)),
  ]);
  const row = { ...asked, fingerprint, asker, asker56, asker48, createdAt: now };
  const ends = limits.map(([most, withinMs, ...columns]) => {
    const isAlike = and(...columns.map((one) => sql`${mailedProofs[one]} = ${row[one]}`));
    return sql`coalesce((SELECT created_at + ${withinMs} FROM mailed_proofs
      WHERE ${isAlike} AND kind = ${kind} AND created_at > ${now - withinMs}
      ORDER BY created_at DESC LIMIT 1 OFFSET ${most} - 1), 0)`;
  });
  const ownUntil = sql<number>`max(${sql.join(ends, sql`, `)})`;
  const gate = insertSelect(db, mailedProofs, {
    row,
    from: sql`WHERE ${ownUntil} = 0 AND ${allUntil} = 0 AND ${condition}`,
  }).returning({ id: mailedProofs.id });
  const { full, request } = await runBatch(db, {
    full: db
      .select({ own: ownUntil.as("own_until"), all: allUntil.as("all_until") })
      .from(sql`(SELECT 1)`),
    request: gated(gate, hasRow(mailedProofs, id), (isAsked) => ({
      mail: oweMail(services, { ...mail, subjectId: id, now }, sql`WHERE ${isAsked}`),
    })),
  });
  return request.gate.length > 0 ? null : (full[0] ?? { own: 0, all: 0 });
}

/** Not used in this way, not typed, not expired, and the newest of who has asked. */
export function isOpen(now: number, by: "code" | "link" = "link"): SQL<boolean> {
  return sql<boolean>`(mailed_proofs.used_at IS NULL AND NOT ${isUsed("code", by)}
    AND mailed_proofs.expires_at > ${now} AND ${isNewest})`;
}

/** Of the codes that its browser has asked for with its mailbox; of all confirmations of its user. */
export const isNewest = sql<boolean>`NOT EXISTS (SELECT 1 FROM mailed_proofs AS later
  WHERE later.asked_by = mailed_proofs.asked_by
    AND (later.fingerprint = mailed_proofs.fingerprint OR mailed_proofs.kind = 'confirmation')
    AND (later.created_at, later.id) > (mailed_proofs.created_at, mailed_proofs.id))`;

export function isUsed(by: "code" | "link", or = by): SQL {
  return sql`EXISTS (SELECT 1 FROM login_grants
    WHERE code_id = mailed_proofs.id AND "by" IN (${by}, ${or}))`;
}
