import { type SQL, sql } from "drizzle-orm";
import type { DatabaseAndClock } from "~/db/client.server";
import { listOf } from "~/db/expressions";
import { firstFailing, gated, hasRow, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { maxNoticesPerDay, maxOpenNotices } from "~/db/rules";
import { notices } from "~/db/schema";
import { mailboxOf } from "~/members/mail-address";
import { type OwedMailServices, oweMail } from "~/outbox/owe-mail.server";
import { dayMs } from "~/platform/dates";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import { noteDecision, type Operator, operate } from "./audit.server";
import { type NewNotice, type NoticeDecision, namedIn } from "./notice";

type Services = DatabaseAndClock & OwedMailServices;

/**
 * Keeps what somebody says is wrong here, and owes them a receipt (rule 49, notices). Of one mailbox and place one is
 * open; another press changes nothing.
 */
export async function fileNotice(
  services: Services,
  notice: NewNotice,
  contactEmail: string,
): Promise<Rejection | null> {
  const { db } = services;
  const now = services.now();
  const id = crypto.randomUUID();
  const isTheirs = sql`mailbox = ${mailboxOf(notice.address)}`;
  const obstacle = firstFailing({
    isNew: sql`NOT EXISTS (SELECT 1 FROM notices
      WHERE ${isTheirs} AND location = ${notice.location} AND decided_at IS NULL)`,
    isWithinDay: sql`(SELECT count(*) FROM notices
      WHERE ${isTheirs} AND created_at > ${now - dayMs}) < ${maxNoticesPerDay}`,
    hasRoom: sql`(SELECT count(*) FROM notices WHERE decided_at IS NULL) < ${maxOpenNotices}`,
  });
  const gate = insertSelect(db, notices, {
    row: { id, ...notice, songId: songNamed(notice.location), createdAt: now },
    from: sql`WHERE ${obstacle} IS NULL`,
  }).returning({ id: notices.id });
  const { found, filed } = await runBatch(db, {
    found: db.select({ obstacle: obstacle.as("obstacle") }).from(sql`(SELECT 1)`),
    filed: gated(gate, hasRow(notices, id), (only) => ({
      receipt: oweMail(
        services,
        { userId: null, kind: "notice", subjectId: id, now },
        sql`WHERE ${only}`,
      ),
    })),
  });
  if (filed.gate.length > 0) logEvent("notice_filed");
  switch (found[0]?.obstacle) {
    case "isWithinDay":
      return reject(
        429,
        `That is as many as we take from one address in a day. Write to ${contactEmail}, or try again tomorrow.`,
      );
    case "hasRoom":
      logEvent("notices_full");
      return reject(
        503,
        `More is waiting for us than we can take here. Write to ${contactEmail}: we read it all the same.`,
      );
    default:
      return null;
  }
}

function songNamed(location: string): SQL<string | null> {
  const { id, token, trackId, names } = namedIn(location);
  return sql<string | null>`(SELECT id FROM songs WHERE id IN (
      SELECT ${id} UNION SELECT song_id FROM shares WHERE token = ${token}
      UNION SELECT same.id FROM songs AS same WHERE same.track_id = ${trackId}
      UNION SELECT named.id FROM songs AS named WHERE named.title COLLATE NOCASE IN ${listOf(names)}
        AND EXISTS (SELECT 1 FROM json_each(named.artists) WHERE value COLLATE NOCASE IN ${listOf(names)}))
    ORDER BY taken_out IS NOT NULL, active_at DESC LIMIT 1)`;
}

/**
 * Decides about a notice that is about no song here (rule 49, notices); the others go with their song's decision
 * (`decideOnSong`).
 */
export async function decideOnNotice(
  services: Services,
  operator: Operator,
  { target, do: action, reason }: { target: string; do: NoticeDecision; reason: string },
): Promise<Rejection | null> {
  const { db } = services;
  const now = services.now();
  const line = { id: crypto.randomUUID(), operator, action, target, reason, now };
  const isIt = sql`notices.id = ${target}`;
  const isOpen = sql`FROM notices WHERE ${isIt} AND song_id IS NULL AND decided_at IS NULL`;
  const read = await runBatch(
    db,
    operate(db, line, isOpen, (only) => closeNotices(services, line, sql`${isIt} AND ${only}`)),
  );
  return noteDecision(read, action);
}

/** Closes the open ones of these, and owes each an answer. */
export function closeNotices(
  services: OwedMailServices,
  { id: decisionId, now }: { id: string; now: number },
  which: SQL,
) {
  const areOpen = sql`decided_at IS NULL AND ${which}`;
  return {
    answers: oweMail(
      services,
      {
        userId: null,
        kind: "notice_decision",
        subjectId: sql`notices.id`,
        dedupeKey: sql`'notice_decision:' || notices.id`,
        now,
      },
      sql`FROM notices WHERE ${areOpen}`,
    ),
    closed: services.db.update(notices).set({ decidedAt: now, decisionId }).where(areOpen),
  };
}
