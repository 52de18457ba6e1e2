/** The jobs of queues and crons. The amount of due work is the same at every size. */
import type { CountedApp } from "../worker/counted-app.ts";
import { subscribed } from "./billing.ts";
import { play, type Run } from "./world.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
/** The number of rows per table that are made old for the purge. */
const rowsARun = 500;

const tenMinutes = "/bench/cron?cron=*/10+*+*+*+*";

/** Makes some rows of each table a hundred days older. */
async function age({ sql }: CountedApp): Promise<void> {
  const some = (table: string, where: string) =>
    `id IN (SELECT id FROM ${table} WHERE ${where} LIMIT ${rowsARun})`;
  const ago = 100 * day;
  await sql(
    `UPDATE listens SET started_at = started_at - ?1, finished_at = finished_at - ?1
     WHERE ${some("listens", "closed_at IS NOT NULL AND started_at > ?2")}`,
    ago,
    Date.now() - 20 * day,
  );
  await sql(
    `UPDATE activity_log SET created_at = created_at - ?1
     WHERE ${some("activity_log", "created_at > ?2")}`,
    ago,
    Date.now() - 20 * day,
  );
  await sql(
    `UPDATE outbox SET created_at = created_at - ?1
     WHERE ${some("outbox", "state <> 'pending' AND mail_id = id AND created_at > ?2")}`,
    ago,
    Date.now() - 20 * day,
  );
  await sql(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
     INSERT INTO sessions (id, user_id, way, client_id, access_token, refresh_token, token_expires_at,
       created_at, last_seen_at, expires_at)
     SELECT lower(hex(randomblob(22))), (SELECT id FROM users LIMIT 1), 'spotify', '', '', '', 0, 0, 0, 1
     FROM numbers`,
    rowsARun,
  );
  await sql(
    `UPDATE outbox SET not_before = ?1, mail_id = NULL, attempts = 0
     WHERE state = 'pending' AND not_before > ?1`,
    Date.now() - 60 * minute,
  );
  // The operator does not know of these.
  await sql("UPDATE reports SET mailed_at = NULL WHERE id IN (SELECT id FROM reports LIMIT 10)");
}

export const jobRuns: Run[] = [
  {
    name: "queue, ten mails of two ratings",
    times: 5,
    async prepare({ sql }) {
      const rows = await sql<{ id: string }>(
        `SELECT min(id) AS id FROM outbox WHERE state = 'pending' AND mail_id IS NULL AND not_before < ?
         GROUP BY user_id HAVING count(*) = 2 LIMIT 10`,
        Date.now(),
      );
      return queued(rows);
    },
  },
  {
    name: "queue, a mail about 500 ratings",
    who: "owner",
    extreme: true,
    times: 5,
    async prepare({ sql }, userId) {
      await sql(
        `UPDATE outbox SET state = 'pending', mail_id = NULL, attempts = 0, sent_at = NULL, not_before = 0
         WHERE id IN (SELECT id FROM outbox WHERE user_id = ? AND kind = 'rating' LIMIT 500)`,
        userId,
      );
      const rows = await sql<{ id: string }>(
        "SELECT id FROM outbox WHERE user_id = ? AND state = 'pending' LIMIT 1",
        userId,
      );
      return queued(rows);
    },
  },
  {
    name: "queue, dead letters",
    times: 5,
    async prepare({ sql }) {
      const rows = await sql<{ id: string }>(
        "SELECT id FROM outbox WHERE state = 'pending' LIMIT 10",
      );
      return { ...queued(rows), path: "/bench/queue?queue=fivefold-outbox-dead" };
    },
  },
  {
    name: "queue, a mail of 50 ratings",
    who: "owner",
    times: 3,
    async prepare({ sql }, userId) {
      await sql(
        `INSERT OR REPLACE INTO email_preferences (user_id, receive_rating_emails,
           receive_subscription_emails, updated_at) VALUES (?, 1, 1, 0)`,
        userId,
      );
      await sql(
        `UPDATE outbox SET state = 'pending', mail_id = NULL, attempts = 0, sent_at = NULL, not_before = 0
         WHERE id IN (SELECT id FROM outbox WHERE user_id = ? AND kind = 'rating' AND mail_id = id
           AND NOT EXISTS (SELECT 1 FROM outbox AS other WHERE other.mail_id = outbox.id
                             AND other.id <> outbox.id) LIMIT 50)`,
        userId,
      );
      const rows = await sql<{ id: string }>(
        "SELECT id FROM outbox WHERE user_id = ? AND state = 'pending' LIMIT 1",
        userId,
      );
      return queued(rows);
    },
  },
  {
    name: "queue, a spot check",
    who: "light",
    async prepare(app, userId) {
      const { songId } = await play(app, userId);
      const [listen] = await app.sql<{ id: string }>(
        "SELECT id FROM listens WHERE user_id = ? AND song_id = ?",
        userId,
        songId,
      );
      const body = JSON.stringify([{ listenId: listen?.id, after: null }]);
      return { path: "/bench/queue?queue=fivefold-spot-checks", body };
    },
  },
  {
    name: "cron, community figures, once a day",
    linear: true,
    times: 3,
    async prepare({ sql }) {
      await sql("DELETE FROM community_figures");
      return { path: tenMinutes };
    },
  },
  {
    name: "cron, mails, wishes, reports and purge",
    times: 3,
    async prepare(app) {
      await age(app);
      return { path: tenMinutes };
    },
  },
  {
    name: "cron, subscriptions",
    times: 3,
    async prepare(app) {
      // As after yesterday's run, except for one customer, whom Stripe's stand-in knows.
      const { customer } = await subscribed(app);
      await app.sql(
        "UPDATE subscriptions SET synced_at = CASE customer_id WHEN ? THEN 0 ELSE synced_at - ? END",
        customer,
        day,
      );
      return { path: `/bench/cron?cron=${encodeURIComponent("17 4 * * *")}` };
    },
  },
];

function queued(rows: { id: string }[]) {
  const body = JSON.stringify(rows.map(({ id }) => ({ outboxId: id })));
  return { path: "/bench/queue?queue=fivefold-outbox", body };
}
