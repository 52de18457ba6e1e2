import { env } from "cloudflare:workers";
import {
  listenRow,
  outboxRow,
  type Row,
  sessionRow,
  songRow,
  submissionRow,
  userRow,
} from "../../sandbox/rows";

/**
 * Rows of every kind on which migrations are tried. They break no invariant under any schema from
 * the first to the newest; tables and columns that a schema does not have yet are left out. Add a
 * value here for each new table or column.
 */

const minute = 60_000;
const day = 24 * 60 * minute;
/** The time of the first rows, in epoch milliseconds. */
const start = Date.UTC(2026, 0, 1);

/** Columns that a migration renames. The rows below use the newer names. */
export const renamedColumns = [
  { table: "songs", before: "due_at", after: "owed_since" },
  { table: "outbox", before: "due_at", after: "not_before" },
];

/** Six users rated Ann's song, which was submitted twice; five of them gave Bob's song all its ratings. */
const raters = ["r1", "r2", "r3", "r4", "r5", "r6"];
const ratings = [
  ...raters.map((rater) => ({ rater, song: "anns", owner: "ann" })),
  ...raters.slice(0, 5).map((rater) => ({ rater, song: "bobs", owner: "bob" })),
].map((rating, index) => ({
  ...rating,
  id: `rating-${index}`,
  listen: `listen-${index}`,
  score: (index % 4) + 1,
  at: start + (index + 10) * minute,
}));

const unfinished: Row = { finished_at: null, evidence: null };
/** After a spot check that found a pause. */
const checked: Row = {
  observed_at: start - minute / 2,
  heard_ms: 20_000,
  position_ms: 21_000,
  recheck_at: start,
};
/** After a fault: the mail is kept as it was rendered. */
const tried = `mail_id = id, attempts = 1, fault = '503', "to" = 'ann@own.example',
  bcc = 'copies@fivefold.example', subject = 'A rating', html = '<p>it''s;\n--</p>', text = 'it'`;

/** Ann has premium and an address of her own; Cay is in the middle of a package. */
const rows: [table: string, row: Row][] = [
  [
    "users",
    user("ann", {
      submitted_count: 2,
      image_url: "https://i.scdn.co/image/a",
      ratings_seen_at: start + day,
      ratings_news_since: start,
      visit: 3,
      slide: 2,
      last_active_at: start + minute,
    }),
  ],
  ["users", user("bob", { submitted_count: 1, email: null, updated_at: start + minute })],
  [
    "users",
    user("cay", {
      passed_count: 2,
      playlist_lease_until: start,
      address_fingerprint: "f".repeat(43),
    }),
  ],
  // R1 has spent what rating earned.
  ["users", user("r1", { rated_count: 2, submitted_count: 1, own_artists: '{"0uni":"Ünï; --"}' })],
  ["users", user("r2", { rated_count: 2, credits: 2, submitted_count: 1 })],
  ...raters.slice(2, 5).map((id) => entry("users", user(id, { rated_count: 2, credits: 2 }))),
  ["users", user("r6", { rated_count: 1, credits: 1, rated_withdrawn: 0 })],
  [
    "sessions",
    session("ann", {
      visit: 3,
      slide: 2,
      device: "Firefox on Linux",
      has_spotify_premium: 1,
      may_add_to_playlists: 1,
    }),
  ],
  ["sessions", session("cay", { refresh_lease_until: start + minute, device: null })],
  ["songs", song("anns", "ann", { entitled: 10, received: 6, owed: 4, owed_since: start + 2000 })],
  ["songs", song("bobs", "bob", { received: 5, owed: 0, owed_since: null, art_url: null })],
  [
    "songs",
    song("r1s", "r1", {
      isrc: null,
      artists: '["Ünï; --", "O\'Dea"]',
      artist_ids: '["0uni", null]',
    }),
  ],
  ["submissions", submission("anns", "ann", 1, { limited: 1, completed_at: start + 14 * minute })],
  [
    "submissions",
    submission("anns", "ann", 2, {
      created_at: start + 2000,
      session_id: "session-ann",
      rested_since: start + 1000,
      was_withdrawn: 1,
    }),
  ],
  ["submissions", submission("bobs", "bob", 1, { completed_at: start + 20 * minute })],
  ["submissions", submission("r1s", "r1", 1, { spent: 2 })],
  [
    "songs",
    song("r2s", "r2", {
      ...{ owed_since: start + 1000, resting_since: start + day, withdrawn: 1 },
      ...{ taken_out: "It's “silence”;\n--", decided_at: start + 2 * day },
    }),
  ],
  ["submissions", submission("r2s", "r2", 1, { created_at: start + 1000 })],
  [
    "play_refusals",
    { song_id: "r2s", user_id: "cay", created_at: start + day, answered_at: start + 2 * day },
  ],
  ["play_refusals", { song_id: "r2s", user_id: "ann", created_at: start + 3 * day }],
  [
    "shares",
    {
      song_id: "bobs",
      token: "s".repeat(43),
      snapshot: '{"received":5,"uploads":[{"number":1,"counts":[1,2,1,1]}]}',
      published_at: start + day,
    },
  ],
  ["spotify_waits", { client_id: "client-a", until: start + day }],
  ["passes", passed("r1s", "cay", 2, "report")],
  ["passes", passed("r2s", "cay", 1, "unplayable")],
  ["reports", report("open", { reporter_id: "cay" })],
  ["reports", report("closed", { closed_at: start + day, mailed_at: start + minute })],
  ["packages", { id: "package", user_id: "cay", number: 7, drawn_at: start }],
  ["package_songs", inPackage("anns", 0, start + day)],
  ["package_songs", inPackage("bobs", 1, null)],
  [
    "pool_windows",
    { user_id: "cay", seen_to: start + day, waiting: '["anns","r1s","r2s"]', updated_at: start },
  ],
  ...ratings.map(({ listen, rater, song, at }, index) =>
    entry("listens", {
      ...heard(listen, rater, song, at),
      evidence: index % 2 ? "clock" : "spotify",
      doubted_at: index === 3 ? at - 90_000 : null,
    }),
  ),
  ["listens", { ...heard("unrated", "cay", "bobs", start + day) }],
  [
    "listens",
    { ...heard("open", "cay", "anns", start), ...unfinished, ...checked, closed_at: null },
  ],
  ["listens", { ...heard("broken off", "cay", "r1s", start), ...unfinished }],
  ...ratings.map(({ id, song, owner, rater, listen, score, at }, index) =>
    entry("ratings", {
      id,
      song_id: song,
      owner_id: owner,
      rater_id: rater,
      listen_id: listen,
      score,
      owes_mail: index < 4 ? 1 : 0,
      created_at: at,
      reasons: index % 3 ? 0b000100_000011 : null,
      in_playlist: score === 4 && index < 6 ? 1 : 0,
    }),
  ),
  [
    "playlist_adds",
    {
      user_id: "r4",
      song_id: "anns",
      playlist_id: "playlist",
      playlist_name: "Fivefold finds",
      added_at: start + day,
    },
  ],
  ...ratings.slice(0, 4).map(({ id, owner }) => entry("outbox", mail("rating", id, owner))),
  ["outbox", mail("submission", "bobs-1", "bob")],
  ["email_preferences", { user_id: "ann", receive_rating_emails: 1, updated_at: start }],
  [
    "email_preferences",
    {
      user_id: "bob",
      receive_rating_emails: 0,
      updated_at: start,
      rating_mail_rhythm: "weekly",
    },
  ],
  ["email_confirmations", confirmation("used", { used_at: start + minute })],
  ["confirmation_counts", { id: "count", fingerprint: "of somebody", created_at: start }],
  ["email_confirmations", confirmation("unused", { address: "other@own.example" })],
  ["mail_suppressions", { fingerprint: "of-an-address".padEnd(43, "-"), topic: "rating" }],
  [
    "song_wishes",
    {
      id: "wish",
      user_id: "r1",
      asked_at: start,
      looked_at: start + day,
      found_since: start + day,
    },
  ],
  ["song_wishes", { id: "new wish", user_id: "r2", asked_at: start, looked_at: start }],
  ["subscriptions", subscription("ann", "active", "premium", "cus_1")],
  ["subscriptions", subscription("r2", "past_due", "premium", "cus_2")],
  ["subscriptions", subscription("r3", "canceled", "premium", "cus_3")],
  ["subscriptions", { user_id: "bob", status: "none", tier: "free", updated_at: start }],
  ["billing_events", { id: "evt_1", created_at: start }],
  [
    "community_figures",
    {
      id: 1,
      computed_at: start,
      songs_rated_this_week: 2,
      promises_kept: 2,
      half_within_ms: 14 * minute,
      most_within_ms: 14 * minute,
      ratings: 11,
      liked: 5,
    },
  ],
  ["departures", departure("l", null)],
  ["departures", departure("c", "cay")],
  [
    "rating_marks",
    {
      ...{ departure_id: "c".repeat(43), song_id: "bobs" },
      ...{ fingerprint: "m".repeat(43), ends_at: start + 31 * day },
    },
  ],
  ["submission_locks", lock("n", null)],
  ["submission_locks", lock("r", "r5")],
  ["operator_log", operatorLine("lock", "n".repeat(43), null)],
  ["operator_log", operatorLine("take_out", "r2s", "r2")],
  ["job_runs", { job: "outbox", ran_at: start + minute, failed_at: start }],
  ["job_runs", { job: "retention", ran_at: start, failed_at: null }],
  ["daily_counts", { day: "2026-01-01", name: "mails_sent", count: 3 }],
  ["daily_stats", stats("2026-01-01", { half_hours: null, nine_tenths_hours: null })],
  ["daily_stats", stats("2026-01-02", { owed: null, mails_waiting: null, premium_members: null })],
  ["activity_log", log("login", "ann", null, null)],
  ["activity_log", log("upload", "ann", "anns", null)],
  ["activity_log", log("rating", "r1", "anns", 4)],
];

/** Changes that only later schemas allow, each with the column that it needs. */
const changes: [table: string, column: string, sql: string][] = [
  ["users", "own_email", "UPDATE users SET own_email = 'ann@own.example' WHERE id = 'ann'"],
  // The first two ratings were sent in one mail, the third waits after a fault, the fourth for more ratings.
  [
    "outbox",
    "mail_id",
    `UPDATE outbox SET mail_id = 'mail-rating-0', state = 'sent', sent_at = ${start + day},
       attempts = 1 WHERE id IN ('mail-rating-0', 'mail-rating-1')`,
  ],
  ["outbox", "mail_id", `UPDATE outbox SET ${tried} WHERE id = 'mail-rating-2'`],
  [
    "outbox",
    "mail_id",
    "UPDATE outbox SET mail_id = id, state = 'skipped', fault = 'no address' WHERE user_id = 'bob'",
  ],
  // A report beyond the passes, where the schema has them.
  [
    "passes",
    "slot",
    `UPDATE passes SET slot = NULL WHERE reason = 'report' AND EXISTS (
       SELECT 1 FROM pragma_table_info('passes') WHERE name = 'slot' AND "notnull" = 0)`,
  ],
  // A deleted account, and a purged listen.
  ["users", "rated_withdrawn", "DELETE FROM users WHERE id = 'r6'"],
  ["users", "rated_withdrawn", "DELETE FROM listens WHERE id = 'listen-7'"],
];

/** Inserts all rows, as far as the present schema has their tables and columns. */
export async function fillDatabase(): Promise<void> {
  const columns = await columnsOfTables();
  const nameNow = (table: string, name: string) =>
    columns.get(table)?.has(name)
      ? name
      : renamedColumns.find((column) => column.table === table && column.after === name)?.before;
  const inserts = rows
    .filter(([table]) => columns.has(table))
    .map(([table, row]) => {
      const present = Object.entries(row).flatMap(([newestName, value]) => {
        const name = nameNow(table, newestName);
        return name && columns.get(table)?.has(name) ? [{ name, value }] : [];
      });
      const names = present.map(({ name }) => `"${name}"`).join(", ");
      const places = present.map(() => "?").join(", ");
      return env.DB.prepare(`INSERT INTO "${table}" (${names}) VALUES (${places})`).bind(
        ...present.map(({ value }) => value),
      );
    });
  const updates = changes
    .filter(([table, column]) => columns.get(table)?.has(column))
    .map(([, , sql]) => env.DB.prepare(sql));
  await env.DB.batch([env.DB.prepare("PRAGMA defer_foreign_keys = ON"), ...inserts, ...updates]);
}

/** The column names of each of the app's tables. */
export async function columnsOfTables(): Promise<Map<string, Set<string>>> {
  const { results } = await env.DB.prepare(
    `SELECT tables.name AS "table", columns.name AS "column"
     FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
     WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'
       AND tables.name NOT LIKE '_cf_%' AND tables.name <> 'd1_migrations'`,
  ).all<{ table: string; column: string }>();
  const tables = new Map<string, Set<string>>();
  for (const { table, column } of results) {
    tables.set(table, (tables.get(table) ?? new Set()).add(column));
  }
  return tables;
}

function entry(table: string, row: Row): [string, Row] {
  return [table, row];
}

function user(id: string, given: Row): Row {
  const names = { display_name: `${id} 🎵 "Mu'sician"`, email: `${id}@musicians.example` };
  return userRow({ id, created_at: start, image_url: null, ...names, ...given });
}

function session(userId: string, given: Row): Row {
  const id = `session-${userId}`;
  return sessionRow({ id, user_id: userId, created_at: start, ...given });
}

/** By default submitted once, without ratings. */
function song(id: string, ownerId: string, given: Row): Row {
  return songRow({
    ...{ id, owner_id: ownerId, created_at: start, active_at: start + 20 * minute },
    art_url: "https://i.scdn.co/image/b",
    smaller_art: '{"64":"https://i.scdn.co/image/c"}',
    isrc: "QZ1230000001",
    ...given,
  });
}

function submission(songId: string, ownerId: string, number: number, given: Row): Row {
  const about = { song_id: songId, owner_id: ownerId, number, created_at: start };
  return submissionRow({ id: `${songId}-${number}`, ...about, limited: 0, ...given });
}

function inPackage(songId: string, position: number, favoritedAt: number | null): Row {
  return { package_id: "package", song_id: songId, position, favorited_at: favoritedAt };
}

function passed(songId: string, userId: string, slot: number, reason: string): Row {
  const id = `pass-${songId}`;
  const at = start + 5 * minute;
  return { id, user_id: userId, song_id: songId, package_id: "old", slot, reason, created_at: at };
}

function report(id: string, given: Row): Row {
  return { id, song_id: "r1s", words: "It's “not”\nmusic; --", created_at: start, ...given };
}

/** A listen that was finished a second before `at` and closed then. */
function heard(id: string, userId: string, songId: string, at: number): Row {
  const about = { id, user_id: userId, song_id: songId, required_seconds: 34 };
  const times = { started_at: at - minute, finished_at: at - 1000, closed_at: at };
  return listenRow({ ...about, ...times });
}

/** What is kept of a deleted account; `userId` is the account created after it. */
function departure(letter: string, userId: string | null): Row {
  const id = letter.repeat(43);
  const before = { sealed: "encrypted", ends_at: start + 31 * day };
  return { id, user_id: userId, left_at: start - 2 * day, ...before };
}

function mail(kind: string, subjectId: string, userId: string): Row {
  const times = { created_at: start + day, not_before: start + day + 5 * minute };
  const about = { id: `mail-${subjectId}`, user_id: userId, kind, subject_id: subjectId };
  return outboxRow({ ...about, ...times });
}

function confirmation(id: string, given: Row): Row {
  return {
    id,
    user_id: "ann",
    address: "ann@own.example",
    created_at: start,
    expires_at: start + day,
    used_at: null,
    ...given,
  };
}

function subscription(userId: string, status: string, tier: string, customer: string): Row {
  return {
    user_id: userId,
    status,
    tier,
    subscription_id: `sub-${userId}`,
    customer_id: customer,
    started_at: start,
    cancel_at: status === "active" ? start + 30 * day : null,
    updated_at: start,
    synced_at: start,
    checkout_id: `cs-${userId}`,
    checkout_number: 1,
    renews_at: start + 30 * day,
    price: "USD 2.99",
    failed_at: status === "past_due" ? start : null,
    retry_at: status === "past_due" ? start + 3 * day : null,
    ended_at: status === "canceled" ? start + day : null,
    return_to: "/ratings-of-my-songs?song=anns",
  };
}

function log(kind: string, userId: string, songId: string | null, score: number | null): Row {
  return { id: `log-${kind}`, kind, user_id: userId, song_id: songId, score, created_at: start };
}

/** Of a Spotify account; `userId` is the account that it has here. */
function lock(letter: string, userId: string | null): Row {
  return { id: letter.repeat(43), user_id: userId, reason: "It's “noise”;\n--", locked_at: start };
}

function operatorLine(action: string, target: string, userId: string | null): Row {
  const what = { action, target, user_id: userId, reason: "It's “noise”;\n--" };
  return { id: `line-${action}`, operator: "operator", created_at: start + day, ...what };
}

function stats(day: string, given: Row): Row {
  return {
    ...{ day, logins: 2, listens: 12, ratings: 11, passes: 2, submissions: 5 },
    ...{ half_hours: 1, nine_tenths_hours: 9, owed: 14, empty_visits: 1, premium_members: 2 },
    ...{ mails_sent: 3, mails_failed: 0, mails_waiting: 1, jobs_failed: 1, written_at: start },
    ...given,
  };
}
