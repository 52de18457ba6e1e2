import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { purgeExpired } from "~/account/purge.server";
import { createDatabase } from "~/db/client.server";
import { countEvent } from "~/db/count-event.server";
import { retentionDays } from "~/db/periods";
import { countDays } from "~/operator/counting";
import { dayOf } from "~/platform/dates";
import { outboxRow } from "../../sandbox/rows";
import { rowsOf } from "../../support/database/contents";
import {
  baseTime,
  insert,
  makeListen,
  makeRating,
  makeSong,
  makeUser,
} from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { deliver, oweRating } from "../../support/mails";
import { daily, everyTenMinutes, runJobs } from "../../support/worker";

const db = createDatabase(env.DB);
const day = 24 * 60 * 60 * 1000;
const now = Date.UTC(2027, 0, 1);

/** How many rows of a table are left. */
async function count(table: string): Promise<unknown> {
  return env.DB.prepare(`SELECT count(*) AS rows FROM ${table}`).first("rows");
}

test("a listen is deleted after its retention period, but its rating stays", async () => {
  const song = await makeSong(await makeUser());
  const at = now - retentionDays.listens * day;
  await makeRating(await makeUser(), song, { at });
  await makeRating(await makeUser(), song, { at: at + 120_000 });
  await makeListen(await makeUser(), song, { startedAt: at - 1 });
  expect(await purgeExpired(db, now)).toMatchObject({ listens: 2 });
  expect(await rowsOf("SELECT listen_id IS NULL AS gone FROM ratings ORDER BY created_at")).toEqual(
    [{ gone: 1 }, { gone: 0 }],
  );
});

test("a record that Spotify did not play a song is deleted after its retention period", async () => {
  const song = await makeSong(await makeUser());
  const listeners = [await makeUser(), await makeUser()];
  const at = now - retentionDays.refusals * day;
  for (const [n, { id }] of listeners.entries()) {
    await insert("unplayable_reports", { song_id: song.id, user_id: id, created_at: at - n }).run();
  }
  expect(await purgeExpired(db, now)).toMatchObject({ refusals: 1 });
  expect(await rowsOf("SELECT user_id FROM unplayable_reports")).toEqual([
    { user_id: listeners[0]?.id },
  ]);
});

test("that somebody has asked for a mail when there are songs lapses after its days", async () => {
  const users = [await makeUser(), await makeUser()];
  const at = now - retentionDays.songWishes * day;
  for (const [n, { id }] of users.entries()) {
    const times = { asked_at: at - n, looked_at: now };
    await insert("song_wishes", { id: `wish-${n}`, user_id: id, ...times }).run();
  }
  expect(await purgeExpired(db, now)).toMatchObject({ songWishes: 1 });
  expect(await rowsOf("SELECT user_id FROM song_wishes")).toEqual([{ user_id: users[0]?.id }]);
});

test("where a song was put is forgotten after its retention period, but not that it was", async () => {
  const song = await makeSong(await makeUser());
  const at = now - retentionDays.playlistAdds * day;
  for (const n of [0, 1]) {
    const user = await makeUser();
    await makeRating(user, song, { score: 4, inPlaylist: true });
    await insert("playlist_adds", {
      ...{ user_id: user.id, song_id: song.id, added_at: at - n },
      ...{ playlist_id: `list-${n}`, playlist_name: "Mine" },
    }).run();
  }
  expect(await purgeExpired(db, now)).toMatchObject({ playlistAdds: 1 });
  expect(await rowsOf("SELECT playlist_id FROM playlist_adds")).toEqual([
    { playlist_id: "list-0" },
  ]);
  expect(await rowsOf("SELECT sum(in_playlist) AS still FROM ratings")).toEqual([{ still: 2 }]);
});

test("how often something happened on a day is forgotten some time after it, the day's figures are not", async () => {
  const limit = now - retentionDays.dailyCounts * day;
  for (const at of [limit - 1, limit]) {
    await countEvent(db, "mails_sent", at);
    await env.DB.exec(countDays([dayOf(at)], at).replaceAll("\n", " "));
  }
  expect(await purgeExpired(db, now)).toMatchObject({ dailyCounts: 1 });
  expect(await rowsOf("SELECT day FROM daily_counts")).toEqual([{ day: dayOf(limit) }]);
  expect(await count("daily_stats")).toBe(2);
});

test("a report is deleted after its retention period", async () => {
  const song = await makeSong(await makeUser());
  const user = await makeUser();
  const at = now - retentionDays.reports * day;
  for (const n of [0, 1]) {
    const row = { id: `report-${n}`, song_id: song.id, reporter_id: user.id, words: "" };
    await insert("reports", { ...row, created_at: at - n }).run();
  }
  expect(await purgeExpired(db, now)).toMatchObject({ reports: 1 });
  expect(await rowsOf("SELECT id FROM reports")).toEqual([{ id: "report-0" }]);
});

test("a mail that was sent is deleted with all ratings in it, but one that is owed is not", async () => {
  const song = await makeSong(await makeUser());
  const told = [await oweRating(song), await oweRating(song)];
  expect(await deliver([told[0]])).toEqual(["done"]);
  const owed = await oweRating(await makeSong(await makeUser()));
  await env.DB.prepare("UPDATE outbox SET created_at = ?")
    .bind(now - 400 * day)
    .run();
  expect(await purgeExpired(db, now)).toMatchObject({ mails: 2 });
  expect(await rowsOf("SELECT id FROM outbox")).toEqual([{ id: owed }]);
});

test("a login's code and the record of its mail are deleted after a day", async () => {
  for (const [n, at] of [now - day, now - day - 1].entries()) {
    const code = { id: `code-${n}`, address: "a@mail.example", asked_by: "b" };
    const times = { created_at: at, expires_at: at + 600_000 };
    await insert("mailed_proofs", { ...code, ...times, kind: "login" }).run();
    const mail = outboxRow({
      id: `mail-${n}`,
      user_id: null,
      kind: "login_code",
      subject_id: code.id,
    });
    const sent = { state: "sent", sent_at: at, mail_id: mail.id ?? "", created_at: at };
    await insert("outbox", { ...mail, ...sent }).run();
  }
  expect(await purgeExpired(db, now)).toMatchObject({ proofs: 1, codeMails: 1, mails: 0 });
  expect(await rowsOf("SELECT id FROM mailed_proofs UNION ALL SELECT id FROM outbox")).toEqual([
    { id: "code-0" },
    { id: "mail-0" },
  ]);
});

test("a mail is kept for its retention period", async () => {
  await deliver([await oweRating(await makeSong(await makeUser()))]);
  await env.DB.prepare("UPDATE outbox SET created_at = ?")
    .bind(now - retentionDays.mails * day)
    .run();
  expect(await purgeExpired(db, now)).toMatchObject({ mails: 0 });
  expect(await purgeExpired(db, now + 1)).toMatchObject({ mails: 1 });
});

test("a user's place in the rotation is deleted some time after it moved, unless they wait for songs", async () => {
  const place = { hears_spotify: 1, seen_to: 1, waiting: "[]" };
  for (const [age, user] of [
    [retentionDays.windows * day + 1, await makeUser()],
    [retentionDays.windows * day, await makeUser()],
  ] as const) {
    const window = { ...place, user_id: user.id, updated_at: now - age };
    await insert("pool_windows", window).run();
  }
  const waiting = await makeUser();
  const window = { ...place, user_id: waiting.id, updated_at: 0 };
  await insert("pool_windows", window).run();
  const wish = { id: "wish", user_id: waiting.id, asked_at: now, looked_at: now };
  await insert("song_wishes", wish).run();
  expect(await purgeExpired(db, now)).toMatchObject({ windows: 1 });
  expect(await rowsOf("SELECT updated_at FROM pool_windows ORDER BY updated_at")).toEqual([
    { updated_at: 0 },
    { updated_at: now - retentionDays.windows * day },
  ]);
});

test("what is kept of a deleted account is deleted when its time is over", async () => {
  const song = await makeSong(await makeUser());
  const leftAt = now - retentionDays.departures * day;
  for (const [id, at] of [
    ["older", leftAt],
    ["younger", leftAt + 1],
  ] as const) {
    await insert("departures", { id: id.padEnd(43, "-"), left_at: at }).run();
    await insert("rating_marks", { departure_id: id.padEnd(43, "-"), song_id: song.id }).run();
  }
  expect(await purgeExpired(db, now - 1)).toMatchObject({ departures: 0 });
  expect(await purgeExpired(db, now)).toMatchObject({ departures: 1 });
  const younger = "younger".padEnd(43, "-");
  expect(await rowsOf("SELECT departure_id FROM rating_marks")).toEqual([
    { departure_id: younger },
  ]);
  expect(await rowsOf("SELECT id FROM departures")).toEqual([{ id: younger }]);
});

test("sessions are deleted when they end, log lines and events after their retention periods", async () => {
  const user = await makeUser();
  const [ended, open] = [await makeSession(user), await makeSession(user)];
  await env.DB.prepare("UPDATE sessions SET expires_at = iif(id = ?, ?, ?)")
    .bind(ended.id, now - 1, now + 1)
    .run();
  for (const [days, name] of [
    [retentionDays.log, "log"],
    [retentionDays.billingEvents, "event"],
  ] as const) {
    for (const [age, id] of [
      [days * day, `${name}-young`],
      [days * day + 1, `${name}-old`],
    ] as const) {
      const row = { id, created_at: now - age };
      if (name === "event") await insert("billing_events", row).run();
      else await insert("activity_log", { ...row, kind: "login", user_id: user.id }).run();
    }
  }
  expect(await purgeExpired(db, now)).toMatchObject({ sessions: 1, log: 1, billingEvents: 1 });
  expect(await rowsOf("SELECT id FROM sessions")).toEqual([{ id: open.id }]);
  expect(await rowsOf("SELECT id FROM activity_log")).toEqual([{ id: "log-young" }]);
  expect(await rowsOf("SELECT id FROM billing_events")).toEqual([{ id: "event-young" }]);
});

test("very many rows are deleted in several runs, oldest first", async () => {
  const user = await makeUser();
  await env.DB.prepare(
    `INSERT INTO activity_log (id, kind, user_id, created_at)
     WITH RECURSIVE line(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM line WHERE n < 5200)
     SELECT 'line-' || n, 'login', ?, n FROM line`,
  )
    .bind(user.id)
    .run();
  expect(await purgeExpired(db, now)).toMatchObject({ log: 5000 });
  expect(await env.DB.prepare("SELECT min(created_at) AS at FROM activity_log").first("at")).toBe(
    5001,
  );
  expect(await purgeExpired(db, now)).toMatchObject({ log: 200 });
});

test("the Worker deletes expired rows every ten minutes", async () => {
  await insert("billing_events", { id: "evt_1", created_at: baseTime - 400 * day }).run();
  await runJobs(daily);
  expect(await count("billing_events")).toBe(1);
  await runJobs(everyTenMinutes);
  expect(await count("billing_events")).toBe(0);
});
