/**
 * `npm run bench -- capacity`: how many musicians fill one database in a year, from the bytes that a month of theirs
 * leaves for good. test/bench/README.md says what a month is.
 */
import { randomUUID } from "node:crypto";
import { migratedDatabase } from "../../unit/migrated-database.ts";
import { printTable } from "../tables.ts";

const musicians = 2000;
const month = { songs: 2, ratings: 12 };
const limitBytes = 10e9;
const lasting = ["songs", "submissions", "ratings"];
/** These are kept for a month. */
const passing = ["listens", "outbox"];

const database = migratedDatabase({ foreignKeys: false });
const people = Array.from({ length: musicians }, () => randomUUID());
const at = (place: number) => 1_790_000_000_000 + place * 60_000;

database.exec("BEGIN; DROP TRIGGER ratings_after_listen");
const insertSong = database.prepare(
  `INSERT INTO songs (id, owner_id, track_id, title, artists, artist_ids, album, art_url, smaller_art, tint, duration_ms,
     isrc, spotify_url, fetched_at, entitled, received, owed, created_at, active_at)
   VALUES (?1, ?2, ?3, 'A song of some length', '["A musician"]', '["0123456789abcdefghijkl"]', 'An album of songs',
     'https://i.scdn.co/image/' || ?4, '{"300":"https://i.scdn.co/image/' || ?4 || '"}', 3, 180000, ?5,
     'https://open.spotify.com/track/' || ?3, ?6, 5, 5, 0, ?6, ?6)`,
);
const insertSubmission = database.prepare(
  `INSERT INTO submissions (id, song_id, owner_id, number, spent, limited, request_key, created_at, completed_at)
   VALUES (?, ?, ?, 1, 6, 0, ?, ?, ?)`,
);
const insertListen = database.prepare(
  `INSERT INTO listens (id, user_id, song_id, required_seconds, started_at, finished_at, evidence, closed_at, observed_at)
   VALUES (?1, ?2, ?3, 55, ?4 - 60000, ?4, 'spotify', ?4, ?4)`,
);
const insertMail = database.prepare(
  `INSERT INTO outbox (id, user_id, kind, subject_id, dedupe_key, mail_id, state, attempts, created_at, sent_at)
   VALUES (?1, ?2, 'rating', ?3, 'rating:' || ?3, ?1, 'sent', 1, ?4, ?4)`,
);
const insertRating = database.prepare(
  `INSERT INTO ratings (id, song_id, owner_id, rater_id, score, reasons, owes_mail, recording, created_at)
   VALUES (?, ?, ?, ?, 3, 1, 0, ?, ?)`,
);
const songs = people.flatMap((owner) =>
  Array.from({ length: month.songs }, () => ({ id: randomUUID(), owner })),
);
for (const [place, { id, owner }] of songs.entries()) {
  const [track, isrc] = [id.replaceAll("-", "").slice(0, 22), `QZ${1e9 + place}`];
  insertSong.run(id, owner, track, `${track}${track}`.slice(0, 40), isrc, at(place));
  insertSubmission.run(randomUUID(), id, owner, randomUUID(), at(place), at(place + 600));
}
for (let round = 0; round < month.ratings; round += 1) {
  for (const [place, rater] of people.entries()) {
    // Each round of everybody goes through other songs, and nobody meets their own.
    const song = (place * month.songs + 7 + round * 101) % songs.length;
    const { id = "", owner = "" } = songs[song] ?? {};
    const [rating, now] = [randomUUID(), at(round * musicians + place)];
    insertListen.run(randomUUID(), rater, id, now);
    insertRating.run(rating, id, owner, rater, `QZ${1e9 + song}`, now);
    insertMail.run(randomUUID(), owner, rating, now);
  }
}
database.exec("COMMIT");

const sizes = [...lasting, ...passing].map((table) => {
  const [read] = database
    .prepare(
      `SELECT sum(pgsize) AS bytes, (SELECT count(*) FROM ${table}) AS rows FROM dbstat
       WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = ?)`,
    )
    .all(table) as { bytes: number; rows: number }[];
  return { table, bytes: 0, rows: 1, ...read };
});
/** Of a musician and month. */
const left = (tables: string[]) =>
  sizes.reduce((sum, { table, bytes }) => sum + (tables.includes(table) ? bytes : 0), 0) /
  musicians;
const [forGood, forAMonth] = [left(lasting), left(passing)];
const toKB = (bytes: number) => (bytes / 1000).toFixed(1);
printTable(
  ["table", "bytes a row", "KB a musician and month"],
  [
    ...sizes.map(({ table, bytes, rows }) => [
      ...[table, Math.round(bytes / rows), toKB(bytes / musicians)],
    ]),
    ["for good", "", toKB(forGood)],
    ["for a month", "", toKB(forAMonth)],
  ],
);
const fill = Math.floor(limitBytes / (12 * forGood + forAMonth) / 1000) * 1000;
console.log(`\n${fill.toLocaleString("en")} musicians fill one database in a year.`);
