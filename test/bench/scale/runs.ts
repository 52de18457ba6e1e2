/**
 * The pages, actions, queue batches and crons whose cost could follow the number of songs, in the order
 * in which they are run. What looks up rows of one user by their keys is held by test/worker/cost/.
 */

import { accountIdOf } from "../../sandbox/catalogue.ts";
import { makeWav } from "../../support/recordings/sound-files.ts";
import type { CountedApp } from "../worker/counted-app.ts";
import {
  draw,
  listen,
  maySubmit,
  offer,
  page,
  play,
  post,
  type Run,
  rate,
  submission,
  withoutPackage,
} from "./world.ts";

const day = 24 * 60 * 60_000;
/** The number of rows per table that are made old for the purge. */
const rowsARun = 500;
const tenMinutes = "/bench/cron?cron=*/10+*+*+*+*";

/** All steps of a rater to a rating and a submission. */
function roundOf(who: "light" | "heavy" | "settled"): Run[] {
  const carousel = (name: string, prepare: Run["prepare"], kind: Run["kind"] = "screen"): Run => ({
    ...{ name: `carousel, ${name}`, who, kind, prepare },
  });
  return [
    carousel(
      "first visit of all",
      async (app, userId) => {
        await app.sql("DELETE FROM pool_windows WHERE user_id = ?", userId);
        return { path: "/", cookie: await withoutPackage(app, userId) };
      },
      "once",
    ),
    carousel("open package", async (app, userId) => {
      await draw(app, userId);
      return page("/")(app, userId);
    }),
    carousel("new package", async (app, userId) => {
      await draw(app, userId);
      return { path: "/", cookie: await withoutPackage(app, userId) };
    }),
    carousel("new package without Spotify", async (app, userId) => {
      await app.ask({ path: "/", cookie: await withoutPackage(app, userId, "email") });
      return { path: "/", cookie: await withoutPackage(app, userId, "email") };
    }),
    carousel("package just completed", async (app, userId) => {
      await draw(app, userId);
      const asked = await rate(app, userId, true);
      await app.ask(asked);
      return page(`/?rated=${asked.path.split("/")[2]}`)(app, userId);
    }),
    { name: "add-song screen", who, kind: "screen", prepare: page("/?menu=addownsong") },
    {
      name: "playing a song",
      who,
      async prepare(app, userId) {
        const { id, cookie } = await offer(app, userId);
        return { path: `/songs/${id}/play`, cookie, form: { deviceId: "browser" } };
      },
    },
    {
      name: "confirming a listen",
      who,
      async prepare(app, userId) {
        const { id, cookie } = await play(app, userId);
        return { path: `/songs/${id}/listened`, cookie, form: {} };
      },
    },
    { name: "rating", who, kind: "rating", prepare: (app, userId) => rate(app, userId, true) },
    {
      ...{ name: "rating that confirms the listen", who, kind: "rating" },
      prepare: (app, userId) => rate(app, userId, false),
    },
    {
      name: "passing on a song",
      who,
      async prepare(app, userId) {
        const path = `/songs/${await draw(app, userId)}/pass`;
        return post(path, { reason: "taste", words: "" })(app, userId);
      },
    },
    { name: "submitting a song", who, prepare: submission },
  ];
}

const others: Run[] = [
  {
    ...{ name: "search", who: "light", kind: "screen" },
    async prepare(app, userId) {
      await maySubmit(app, userId);
      return page("/?menu=addownsong&q=song")(app, userId);
    },
  },
  {
    ...{ name: "asking for a mail about songs, while there are some", who: "heavy", status: 409 },
    prepare: post("/song-mail", { wanted: "true" }),
  },
  {
    ...{ name: "uploading", who: "light" },
    async prepare(app, userId) {
      await maySubmit(app, userId);
      await app.sql(
        `UPDATE recordings SET created_at = 1, file_ended_at = iif(state = 'draft', 2, file_ended_at)
         WHERE owner_id = ?`,
        userId,
      );
      const form = new FormData();
      const fields = { title: "First light", artist: "", rights: "yes", made: "people" };
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      // Of two files with the same bytes, one is deleted.
      form.set("file", new File([makeWav(60 + Math.random())], "song.wav"));
      const posted = new Response(form);
      const type = posted.headers.get("Content-Type") ?? "";
      const headers = { "Content-Type": type, Accept: "application/json" };
      const body = new Uint8Array(await posted.arrayBuffer());
      return { ...(await page("/recordings")(app, userId)), body, headers };
    },
  },
  {
    ...{ name: "sound of an own recording, to its end", who: "light", status: 206 },
    async prepare(app, userId) {
      const { id, recording, cookie } = await offer(app, userId, "own_recording_id IS NOT NULL");
      const [bytes, durationMs] = [1_000_000, 210_000];
      await app.files.put(`${recording}/audio`, new Uint8Array(bytes));
      await app.sql(
        "UPDATE recordings SET bytes = ?, duration_ms = ?, audio_start = 0 WHERE id = ?",
        ...[bytes, durationMs, recording],
      );
      // So long ago that all of it may be delivered.
      const listenId = await listen(app, userId, id, { agoMs: durationMs });
      const headers = { Range: "bytes=0-" };
      return { path: `/songs/${id}/audio?listen=${listenId}`, cookie, headers };
    },
  },
];

/** What the owner of 1,000 songs sees of them, and does with one. */
const results: Run[] = [
  { name: "ratings, free", who: "owner", kind: "screen", prepare: page("/ratings-of-my-songs") },
  {
    ...{ name: "ratings, premium", who: "owner", kind: "screen" },
    async prepare(app, userId) {
      await app.sql(
        `INSERT OR IGNORE INTO subscriptions (user_id, status, tier, subscription_id, updated_at)
         VALUES (?, 'active', 'premium', 'sub_owner', 0)`,
        userId,
      );
      return page("/ratings-of-my-songs")(app, userId);
    },
  },
  {
    ...{ name: "ratings, further down", who: "owner", kind: "screen" },
    async prepare(app, userId) {
      const [song] = await app.sql<{ place: string }>(
        `SELECT active_at || '.' || id AS place FROM songs WHERE owner_id = ?
         ORDER BY active_at DESC, id DESC LIMIT 1 OFFSET 500`,
        userId,
      );
      return page(`/ratings-of-my-songs?after=${song?.place}`)(app, userId);
    },
  },
  ofSong("page of a song", (id) => page(`/ratings-of-my-songs/${id}`)),
  ofSong("a song as a file", (id) => page(`/ratings-of-my-songs/${id}.csv`)),
  ofSong("sharing a song", (id) => post(`/songs/${id}/share`)),
  {
    ...{ name: "shared result", who: "owner", kind: "screen" },
    async prepare(app) {
      // Another address each time, because the page is kept at the edge.
      const token = Array.from({ length: 43 }, () => "abcdefgh"[Math.floor(Math.random() * 8)]);
      await app.sql("UPDATE shares SET token = ?", token.join(""));
      return { path: `/r/${token.join("")}` };
    },
  },
  { name: "songs I rated", who: "settled", kind: "screen", prepare: page("/rated") },
  { name: "account", who: "owner", kind: "screen", prepare: page("/account") },
  {
    name: "operator's page after a year",
    async prepare(app, userId) {
      const operatorId = accountIdOf("demo-operator");
      await app.sql("UPDATE users SET spotify_id = id WHERE spotify_id = ?", operatorId);
      await app.sql("UPDATE users SET spotify_id = ? WHERE id = ?", operatorId, userId);
      await app.sql(
        `INSERT OR IGNORE INTO daily_stats
         WITH days (ago) AS (SELECT 1 UNION SELECT ago + 1 FROM days WHERE ago < 365)
         SELECT date('now', '-' || ago || ' days'), 40, 300, 280, 20, 50, 10, 26, 90, 3, 250, 1, 2, 12,
           0, 0 FROM days`,
      );
      return page("/operator")(app, userId);
    },
  },
  { name: "export of 10,000 ratings given", who: "settled", prepare: post("/account/export") },
  { name: "export of 1,000 songs", who: "owner", prepare: post("/account/export") },
];

function ofSong(name: string, ask: (id: string) => Run["prepare"]): Run {
  return {
    ...{ name, who: "owner" },
    async prepare(app, userId) {
      const [song] = await app.sql<{ id: string }>(
        "SELECT id FROM songs WHERE owner_id = ? AND owed = 0 LIMIT 1",
        userId,
      );
      return ask(song?.id ?? "")(app, userId);
    },
  };
}

/** The amount of due work is the same at every size. */
const jobs: Run[] = [
  {
    name: "queue, ten mails of two ratings",
    async prepare({ sql }) {
      const rows = await sql(
        `SELECT min(id) AS outboxId FROM outbox
         WHERE state = 'pending' AND mail_id IS NULL AND not_before < ?
         GROUP BY user_id HAVING count(*) = 2 LIMIT 10`,
        Date.now(),
      );
      return { path: "/bench/queue?queue=fivefold-outbox", body: JSON.stringify(rows) };
    },
  },
  {
    ...{ name: "queue, a mail about 500 ratings", who: "owner" },
    async prepare({ sql }, userId) {
      await sql(
        `UPDATE outbox SET state = 'pending', mail_id = NULL, attempts = 0, sent_at = NULL, not_before = 0
         WHERE id IN (SELECT id FROM outbox WHERE user_id = ? AND kind = 'rating' LIMIT 500)`,
        userId,
      );
      const rows = await sql(
        "SELECT id AS outboxId FROM outbox WHERE user_id = ? AND state = 'pending' LIMIT 1",
        userId,
      );
      return { path: "/bench/queue?queue=fivefold-outbox", body: JSON.stringify(rows) };
    },
  },
  {
    ...{ name: "queue, a spot check", who: "light" },
    async prepare(app, userId) {
      const { listenId } = await play(app, userId);
      const body = JSON.stringify([{ listenId, after: null }]);
      return { path: "/bench/queue?queue=fivefold-spot-checks", body };
    },
  },
  {
    ...{ name: "cron, the operator's figures, once an hour", kind: "linear", times: 1 },
    async prepare() {
      return { path: tenMinutes };
    },
  },
  {
    ...{ name: "cron, a portion of the community's figures", times: 3 },
    async prepare({ sql }) {
      await sql("DELETE FROM community_days");
      return { path: tenMinutes };
    },
  },
  {
    ...{ name: "cron, mails, wishes, reports and purge", times: 3 },
    async prepare(app) {
      await age(app);
      await app.sql("UPDATE community_days SET counted_to = ?", Date.now());
      return { path: tenMinutes };
    },
  },
  {
    ...{ name: "cron, subscriptions", times: 3 },
    async prepare({ sql }) {
      // Of those that are due, Stripe's stand-in knows one.
      await sql(
        `UPDATE subscriptions SET customer_id = 'cus_DemoPremium001', synced_at = 0 WHERE user_id =
           (SELECT user_id FROM subscriptions WHERE status = 'active' ORDER BY user_id LIMIT 1)`,
      );
      return { path: `/bench/cron?cron=${encodeURIComponent("17 4 * * *")}` };
    },
  },
];

/** Makes some rows of each table a hundred days older, and lets mails, wishes and reports be due. */
async function age({ sql }: CountedApp): Promise<void> {
  const [ago, recent] = [100 * day, Date.now() - 40 * day];
  for (const [table, times, where] of [
    ["listens", ["started_at", "finished_at"], "closed_at IS NOT NULL AND started_at > ?2"],
    ["activity_log", ["created_at"], "created_at > ?2"],
    ["outbox", ["created_at"], "state <> 'pending' AND mail_id = id AND created_at > ?2"],
  ] as const) {
    await sql(
      `UPDATE ${table} SET ${times.map((time) => `${time} = ${time} - ?1`)}
       WHERE id IN (SELECT id FROM ${table} WHERE ${where} LIMIT ${rowsARun})`,
      ...[ago, recent],
    );
  }
  await sql(
    `UPDATE sessions SET expires_at = 1 WHERE id IN (SELECT id FROM sessions LIMIT ${rowsARun / 10})`,
  );
  await sql(
    `UPDATE outbox SET not_before = ?1, mail_id = NULL, attempts = 0
     WHERE state = 'pending' AND not_before > ?1`,
    Date.now() - day / 24,
  );
  // The operator does not know of these.
  await sql("UPDATE reports SET mailed_at = NULL WHERE id IN (SELECT id FROM reports LIMIT 10)");
}

export const runs: Run[] = [
  { name: "landing", kind: "screen", prepare: async () => ({ path: "/" }) },
  ...(["light", "heavy", "settled"] as const).flatMap(roundOf),
  ...others,
  ...results,
  ...jobs,
  // These delete the user.
  ...(["settled", "owner"] as const).map((who) => ({
    ...{ name: "deleting an account", who, times: 1, prepare: post("/account/delete") },
  })),
];
