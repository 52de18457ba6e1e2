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
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
  type TestUser,
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

/** Writes a row that was just old enough to be deleted, and one that is a millisecond too young for it. */
async function old(period: keyof typeof retentionDays, write: (at: number, n: number) => unknown) {
  const at = now - retentionDays[period] * day;
  await write(at - 1, 0);
  await write(at, 1);
}

test.each<
  [
    what: keyof typeof retentionDays,
    left: string,
    write: (at: number, n: number, song: TestSong) => Promise<unknown>,
  ]
>([
  [
    "refusals",
    "SELECT created_at AS at FROM unplayable_reports",
    async (created_at, _n, { id }) =>
      insert("unplayable_reports", {
        song_id: id,
        user_id: (await makeUser()).id,
        created_at,
      }).run(),
  ],
  [
    "songWishes",
    "SELECT asked_at AS at FROM song_wishes",
    async (asked_at, n) => {
      const { id } = await makeUser();
      const wish = { id: `wish-${n}`, user_id: id, asked_at, looked_at: now };
      await insert("song_wishes", wish).run();
    },
  ],
  [
    "reports",
    "SELECT created_at AS at FROM reports",
    (created_at, n, { id }) =>
      insert("reports", { id: `report-${n}`, song_id: id, words: "", created_at }).run(),
  ],
  [
    "log",
    "SELECT created_at AS at FROM activity_log",
    async (created_at, n) => {
      const row = { id: `line-${n}`, kind: "login", user_id: (await makeUser()).id, created_at };
      await insert("activity_log", row).run();
    },
  ],
  [
    "billingEvents",
    "SELECT created_at AS at FROM billing_events",
    (created_at, n) => insert("billing_events", { id: `event-${n}`, created_at }).run(),
  ],
  [
    "mails",
    "SELECT created_at AS at FROM outbox",
    async (at) => {
      const id = await oweRating(await makeSong(await makeUser()));
      await deliver([id]);
      await env.DB.prepare("UPDATE outbox SET created_at = ? WHERE id = ?").bind(at, id).run();
    },
  ],
  [
    // And its rating stays.
    "listens",
    "SELECT created_at AS at FROM ratings WHERE listen_id IS NOT NULL",
    async (at, _n, song) => makeRating(await makeUser(), song, { at: at + 60_000 }),
  ],
  [
    // And that it was put there stays.
    "playlistAdds",
    "SELECT added_at AS at FROM playlist_adds, (SELECT sum(in_playlist) AS kept FROM ratings) WHERE kept = 2",
    async (added_at, n, { id, ownerId }) => {
      const user = await makeUser();
      await makeRating(user, { id, ownerId }, { score: 4, inPlaylist: true });
      await insert("playlist_adds", {
        ...{ user_id: user.id, song_id: id, added_at },
        ...{ playlist_id: `list-${n}`, playlist_name: "Mine" },
      }).run();
    },
  ],
])("of %s what is older than their period is deleted", async (what, left, write) => {
  const song = await makeSong(await makeUser());
  await old(what, (at, n) => write(at, n, song));
  expect(await purgeExpired(db, now)).toMatchObject({ [what]: 1 });
  const offset = what === "listens" ? 60_000 : 0;
  expect(await rowsOf(left)).toEqual([{ at: now - retentionDays[what] * day + offset }]);
});

test("how often something happened on a day is forgotten some time after it, the day's figures are not", async () => {
  await old("dailyCounts", async (at) => {
    await countEvent(db, "mails_sent", at);
    await env.DB.exec(countDays([dayOf(at)], at).replaceAll("\n", " "));
  });
  expect(await purgeExpired(db, now)).toMatchObject({ dailyCounts: 1 });
  const limit = dayOf(now - retentionDays.dailyCounts * day);
  expect(await rowsOf("SELECT day FROM daily_counts")).toEqual([{ day: limit }]);
  expect(await count("daily_stats")).toBe(2);
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

test("of a confirmed address, what its mail was counted by is deleted after a day", async () => {
  for (const [n, at] of [now - day, now - day - 1].entries()) {
    const proof = {
      id: `proof-${n}`,
      kind: "confirmation",
      address: "a@mail.example",
      asked_by: "u",
    };
    const counted = { asker: "a", asker_48: "b", spotify_way: "c" };
    const times = { created_at: at, used_at: at, expires_at: now };
    await insert("mailed_proofs", { ...proof, ...counted, ...times }).run();
  }
  expect(await purgeExpired(db, now)).toMatchObject({ proofs: 0 });
  const query = "SELECT asker, asker_48, spotify_way FROM mailed_proofs ORDER BY id";
  expect(await rowsOf(query)).toEqual([
    { asker: "a", asker_48: "b", spotify_way: "c" },
    { asker: null, asker_48: null, spotify_way: null },
  ]);
});

test("a user's place in the rotation is deleted some time after it moved, unless they wait for songs", async () => {
  const stand = ({ id }: TestUser, updated_at: number) => {
    const window = { hears_spotify: 1, seen_to: 1, waiting: "[]" };
    return insert("pool_windows", { ...window, user_id: id, updated_at }).run();
  };
  await old("windows", async (at) => stand(await makeUser(), at));
  const waiting = await makeUser();
  await stand(waiting, 0);
  const wish = { id: "wish", user_id: waiting.id, asked_at: now, looked_at: now };
  await insert("song_wishes", wish).run();
  expect(await purgeExpired(db, now)).toMatchObject({ windows: 1 });
  expect(await rowsOf("SELECT updated_at AS at FROM pool_windows ORDER BY at")).toEqual([
    { at: 0 },
    { at: now - retentionDays.windows * day },
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

test("sessions are deleted when they end", async () => {
  const user = await makeUser();
  const [ended, open] = [await makeSession(user), await makeSession(user)];
  await env.DB.prepare("UPDATE sessions SET expires_at = iif(id = ?, ?, ?)")
    .bind(ended.id, now - 1, now + 1)
    .run();
  expect(await purgeExpired(db, now)).toMatchObject({ sessions: 1 });
  expect(await rowsOf("SELECT id FROM sessions")).toEqual([{ id: open.id }]);
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
