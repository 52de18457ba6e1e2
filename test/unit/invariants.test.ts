import { expect, test } from "vitest";
import { maxScore } from "~/db/rules";
import { seedSql } from "../sandbox/seed";
import { findViolations, invariants } from "../support/database/invariants";
import { migratedDatabase } from "./migrated-database.ts";

const aCode = `INSERT INTO mailed_proofs (id, kind, address, asked_by, created_at, expires_at)
  VALUES ('code', 'login', 'a@mail.example', 'b', 0, 600000);`;

/**
 * Ann has submitted one song twice. Bob has rated it, and spent the credit on a song of his own. Cay
 * has both songs to rate and listens to Ann's. Ann has premium; Bob began a checkout. Ann gets her
 * mails at her own address: one mail about Bob's and Dan's ratings was sent. Bob's mail is pending. He has rated
 * Dan's own recording, and asked to be told when it is out.
 */
const world = `
  INSERT INTO users (id, spotify_id, display_name, credits, rated_count, submitted_count, created_at,
    updated_at)
  VALUES ('ann', 'a', 'Ann', 0, 0, 2, 0, 0), ('bob', 'b', 'Bob', 1, 2, 1, 0, 0),
    ('cay', 'c', 'Cay', 0, 0, 0, 0, 0), ('dan', 'd', 'Dan', 1, 1, 0, 0, 0);
  UPDATE users SET own_email = 'ann@own.example', own_artists = '{"0ann":"Ann"}' WHERE id = 'ann';
  INSERT INTO mailed_proofs (id, kind, asked_by, address, created_at, expires_at, used_at)
  VALUES ('c', 'confirmation', 'ann', 'ann@own.example', 1000, 9000, 2000);
  INSERT INTO songs (id, owner_id, track_id, title, artists, album, duration_ms, spotify_url,
    fetched_at, entitled, received, owed, owed_since, created_at,
    active_at)
  VALUES ('anns', 'ann', 'x', 'X', '[]', 'X', 180000, 'x', 0, 10, 2, 8, 1000, 1000, 120000),
    ('bobs', 'bob', 'y', 'Y', '[]', 'Y', 180000, 'y', 0, 5, 0, 5, 200000, 200000, 180000);
  UPDATE songs SET artist_ids = '["0ann", "0guest"]' WHERE id = 'anns';
  INSERT INTO unplayable_reports (song_id, user_id, created_at)
  VALUES ('bobs', 'cay', 300000), ('bobs', 'dan', 300000);
  INSERT INTO submissions (id, song_id, owner_id, number, spent, limited, request_key, created_at)
  VALUES ('first', 'anns', 'ann', 1, 0, 1, 'k1', 1000), ('second', 'anns', 'ann', 2, 0, 1, 'k2', 2000),
    ('third', 'bobs', 'bob', 1, 1, 0, 'k3', 200000);
  INSERT INTO listens (id, user_id, song_id, required_seconds, started_at, finished_at, evidence,
    closed_at)
  VALUES ('heard', 'bob', 'anns', 55, 100000, 160000, 'spotify', 161000),
    ('open', 'cay', 'anns', 55, 300000, NULL, NULL, NULL),
    ('too', 'dan', 'anns', 55, 100000, 160000, 'spotify', 161000);
  INSERT INTO ratings (id, song_id, owner_id, rater_id, listen_id, score, owes_mail, created_at)
  VALUES ('r', 'anns', 'ann', 'bob', 'heard', 3, 1, 161000),
    ('rd', 'anns', 'ann', 'dan', 'too', 2, 1, 161000);
  INSERT INTO outbox (id, user_id, kind, subject_id, dedupe_key, created_at)
  VALUES ('m1', 'ann', 'rating', 'r', 'rating:r', 161000),
    ('m1d', 'ann', 'rating', 'rd', 'rating:rd', 161000),
    ('m2', 'bob', 'submission', 'third', 'submission:third', 200000),
    ('mc', 'ann', 'confirmation', 'c', 'confirmation:c', 1000),
    ('mf', 'ann', 'past_due', 'cus', 'subscription:1', 1000),
    ('mr', 'ann', 'resting', 'anns', 'resting:anns:1', 1000),
    ('ms', 'bob', 'songs_again', 'spent', 'songs_again:spent', 1000);
  INSERT INTO song_wishes (id, user_id, asked_at, looked_at) VALUES ('wish', 'bob', 2000, 2000);
  UPDATE outbox SET mail_id = 'm1', state = 'sent', sent_at = 170000 WHERE kind = 'rating';
  UPDATE outbox SET mail_id = 'mc', state = 'skipped', fault = 'superseded' WHERE id = 'mc';
  UPDATE outbox SET mail_id = 'mf', state = 'failed', fault = '422', html = '<p>' WHERE id = 'mf';
  INSERT INTO rounds (id, host_id, name, token, seats, gather_until, listen_ms, created_at)
  VALUES ('round', 'ann', 'Round', 'token', 6, 9000, 9000, 0);
  INSERT INTO round_members (round_id, user_id, joined_at) VALUES ('round', 'cay', 0);
  INSERT INTO subscriptions (user_id, status, tier, subscription_id, customer_id, updated_at)
  VALUES ('ann', 'active', 'premium', 'sub', 'cus', 0), ('bob', 'none', 'free', NULL, NULL, 0);
  INSERT INTO packages (id, user_id, number, drawn_at) VALUES ('p', 'cay', 1, 0);
  INSERT INTO package_songs (package_id, song_id, position) VALUES ('p', 'anns', 0), ('p', 'bobs', 1);
  UPDATE users SET passed_count = 1 WHERE id = 'dan';
  INSERT INTO passes (id, user_id, song_id, package_id, slot, reason, created_at)
  VALUES ('pass', 'dan', 'bobs', 'old', 1, 'report', 300000);
  INSERT INTO playlist_adds (user_id, song_id, playlist_id, playlist_name, added_at)
  VALUES ('bob', 'anns', 'list', 'Mine', 170000);
  INSERT INTO reports (id, song_id, reporter_id, words, created_at)
  VALUES ('report', 'bobs', 'dan', '', 300000);
  INSERT INTO pool_windows (user_id, hears_spotify, seen_to, waiting, updated_at)
  VALUES ('cay', 1, 1000, '["anns"]', 0), ('cay', 0, 1000, '[]', 0);
  INSERT INTO recordings (id, owner_id, state, hash, drawn_from, type, bytes, duration_ms, audio_start, title,
    artist, made, hearing, created_at)
  VALUES ('file', 'dan', 'submitted', 'hash', 'drawn', 'wav', 1, 60000, 0, 'Own', 'Dan', 'people', 'heard', 0),
    ('other', 'dan', 'draft', 'other hash', 'drawn', 'wav', 1, 60000, 0, 'Own', 'Dan', NULL, NULL, 0);
  INSERT INTO songs (id, owner_id, own_recording_id, title, artists, album, duration_ms, fetched_at,
    entitled, received, owed, owed_since, created_at, active_at)
  VALUES ('own', 'dan', 'file', 'Own', '["Dan"]', '', 60000, 0, 5, 1, 4, 400000, 400000, 540000);
  INSERT INTO submissions (id, song_id, owner_id, own_recording_id, number, spent, limited, request_key,
    created_at)
  VALUES ('fourth', 'own', 'dan', 'file', 1, 0, 1, 'k4', 400000);
  UPDATE users SET submitted_count = 1 WHERE id = 'dan';
  INSERT INTO listens (id, user_id, song_id, required_seconds, started_at, finished_at, evidence,
    closed_at, delivered_ms)
  VALUES ('delivered', 'bob', 'own', 55, 500000, 560000, 'delivery', 561000, 60000);
  INSERT INTO ratings (id, song_id, owner_id, rater_id, listen_id, score, owes_mail, wants_release,
    created_at)
  VALUES ('ro', 'own', 'dan', 'bob', 'delivered', 4, 0, 1, 561000);
  INSERT INTO release_wishes (user_id, song_id, asked_at) VALUES ('bob', 'own', 570000);
  INSERT INTO releases (song_id, url, mails_at)
  VALUES ('own', 'https://dan.bandcamp.com/track/own', 4170000);
`;

const anotherRating = `INSERT INTO ratings
  (id, song_id, owner_id, rater_id, listen_id, score, owes_mail, created_at)`;

/** For each invariant a change that breaks it. */
const plants: Record<string, string> = {
  "every reference leads to a row": "DELETE FROM users WHERE id = 'cay'",
  "a finished listen lasted for the time still missing at its last spot check":
    "UPDATE listens SET observed_at = 130000, heard_ms = 20000 WHERE id = 'heard'",
  "no listen counts more time than passed until its last spot check":
    "UPDATE listens SET observed_at = 330000, heard_ms = 30001 WHERE id = 'open'",
  "one rating per rater and song": `${anotherRating}
    VALUES ('r2', 'anns', 'ann', 'bob', 'heard', 3, 0, 161000)`,
  "one rating per rater and recording": `${anotherRating}
    VALUES ('r2', 'bobs', 'bob', 'bob', 'heard', 3, 0, 161000);
    UPDATE ratings SET recording = 'x'`,
  "all songs of a track have one recording: its code, or without one the track":
    "UPDATE songs SET recording = 'y'",
  "the recording of a song without a track is the hash of its file":
    "UPDATE songs SET recording = 'x' WHERE id = 'own'",
  "a song's latest submission is of the file that is heard, and its owner's":
    "UPDATE submissions SET own_recording_id = 'other' WHERE id = 'fourth'",
  "a user has one song per file": `INSERT INTO songs (id, owner_id, own_recording_id, title, artists,
      album, duration_ms, fetched_at, entitled, owed, owed_since, created_at)
    VALUES ('twice', 'dan', 'file', 'Own', '["Dan"]', '', 60000, 0, 5, 5, 400000, 400000)`,
  "a finished listen of an own recording was delivered": `INSERT INTO listens
      (id, user_id, song_id, required_seconds, started_at, finished_at, evidence, delivered_ms)
    VALUES ('own', 'bob', 'own', 55, 500000, 560000, 'delivery', 54999)`,
  "ratings, passes and marks have their song's recording": "UPDATE ratings SET recording = 'y'",
  "one rating per rater, owner and track": `UPDATE songs SET owner_id = 'ann', track_id = 'x'
    WHERE id = 'bobs';
    ${anotherRating} VALUES ('r2', 'bobs', 'ann', 'bob', 'l2', 3, 0, 161000)`,
  "nobody rates their own song": "UPDATE ratings SET rater_id = 'ann' WHERE id = 'r'",
  "a rating names the owner of its song": "UPDATE ratings SET owner_id = 'cay'",
  "a score is on the scale": `UPDATE ratings SET score = ${maxScore + 1}`,
  "a rating has one to three reasons or none, and none of them on both sides":
    "UPDATE ratings SET reasons = 65 WHERE id = 'r'",
  "a rating has a finished listen of the same rater and song, unless that was purged":
    "UPDATE listens SET song_id = 'bobs' WHERE id = 'heard'",
  "a rating comes after its listen has finished and is closed":
    "UPDATE ratings SET created_at = 159999",
  "a listen has at most one rating": `${anotherRating}
    VALUES ('r2', 'bobs', 'bob', 'cay', 'heard', 3, 0, 161000)`,
  "a listen finishes after its unlock, and has evidence exactly if it finished":
    "UPDATE listens SET finished_at = 155999 WHERE id = 'heard'",
  "a login by e-mail has no connection of its own to begin with": `INSERT INTO sessions
      (id, user_id, way, created_at, last_seen_at, expires_at)
    VALUES ('by Spotify', 'cay', 'spotify', 0, 0, 1);
    ${aCode} INSERT INTO login_grants (code_id, by, verified_at, ticket, session_id)
    VALUES ('code', 'code', 1, 't', 'by Spotify')`,
  "a user has at most one open listen": `INSERT INTO listens
    (id, user_id, song_id, required_seconds, started_at) VALUES ('l2', 'cay', 'bobs', 55, 0)`,
  "nobody listens to their own song": "UPDATE listens SET user_id = 'ann' WHERE id = 'open'",
  "received is the number of ratings": "UPDATE songs SET received = 3 WHERE id = 'anns'",
  "entitled is five per submission": "UPDATE songs SET entitled = 5 WHERE id = 'anns'",
  "owed_since is the time of the oldest submission that is still owed ratings":
    "UPDATE songs SET owed_since = 2000 WHERE id = 'anns'",
  "a song has been active since it was last submitted or rated, to the minute":
    "UPDATE songs SET active_at = 60000 WHERE id = 'anns'",
  "what is new of a song began no later than its last rating or submission":
    "UPDATE songs SET news_since = 6000000 WHERE received > 0",
  "each owner's two non-resting songs with the oldest promises are in line, and no others":
    "UPDATE songs SET line_since = NULL WHERE id = 'bobs'",
  "no song has been in line since before its promise":
    "UPDATE songs SET line_since = 1 WHERE id = 'bobs'",
  "a file that is to be deleted belongs to no recording that has its file":
    "INSERT INTO file_deletions (key, created_at) VALUES ('file/audio', 1)",
  "an owner has a file in one draft at most": `INSERT INTO recordings SELECT 'again', owner_id, state, hash, drawn_from, type, bytes, duration_ms, audio_start,
      audio_end, title, artist, made, cover_type, cover_bytes, mix_of, loudness, agreed_cost, hearing, created_at, file_ended_at
    FROM recordings WHERE id = 'other'`,
  "a resting song is owed ratings":
    "UPDATE songs SET resting_since = 1, owed = 0 WHERE id = 'bobs'",
  "only a resting song is withdrawn": "UPDATE songs SET withdrawn = 1 WHERE id = 'bobs'",
  "a song that is owed ratings and was refused to three listeners rests":
    "INSERT INTO unplayable_reports (song_id, user_id, created_at) VALUES ('bobs', 'ann', 300000)",
  "a mail about a resting song goes to its owner":
    "UPDATE outbox SET user_id = 'bob' WHERE id = 'mr'",
  "a submission is completed exactly when none of its ratings is owed":
    "UPDATE submissions SET completed_at = 161000 WHERE id = 'first'",
  "every promised rating was received or is owed": "UPDATE songs SET owed = 7 WHERE id = 'anns'",
  "the submissions of a song are numbered from 1 without gaps":
    "UPDATE submissions SET number = 3 WHERE id = 'second'",
  "a submission names the owner of its song":
    "UPDATE submissions SET owner_id = 'cay' WHERE id = 'second'",
  "a user has one song per track": "UPDATE songs SET owner_id = 'ann', track_id = 'x'",
  "credits are the ratings given minus those spent, and not negative":
    "UPDATE users SET credits = 2 WHERE id = 'bob'",
  "rated_count is the number of ratings given, including those of withdrawn songs":
    "UPDATE users SET rated_count = 3 WHERE id = 'bob'",
  "submitted_count is the number of submissions":
    "UPDATE users SET submitted_count = 1 WHERE id = 'ann'",
  "a rating of a round comes after it has begun, is no news, and stays sealed until it is open":
    "UPDATE ratings SET round_id = 'round' WHERE id = 'r'",
  "a song of a round that goes on is in no other one and in no line, and no round has too many":
    "UPDATE round_members SET song_id = 'anns', user_id = 'ann'",
  "who has opened their marks had given theirs, once the round was open":
    "UPDATE round_members SET opened_at = 1",
  "own_artists has the main artist of each song submitted":
    "UPDATE users SET own_artists = '{}' WHERE id = 'ann'",
  "a rating that owes a mail has its row in the outbox": "DELETE FROM outbox WHERE id = 'm1'",
  "a mail about a rating or a submission has that rating or submission": "DELETE FROM ratings",
  "a code's mail is owed once, in no words": `INSERT INTO outbox
    (id, kind, subject_id, dedupe_key, created_at) VALUES ('c', 'login_code', 'c', 'c', 0)`,
  "a code that has opened a session was verified before it expired": `${aCode}
    INSERT INTO login_grants (code_id, by, verified_at, ticket, session_id) VALUES ('code', 'link', 1, 't', 's');
    UPDATE login_grants SET verified_at = 600000`,
  "no mail is owed twice": `INSERT INTO outbox (id, user_id, kind, subject_id, dedupe_key, created_at)
    VALUES ('m3', 'ann', 'rating', 'r', 'rating:r', 161000)`,
  "the row that leads a mail belongs to the same user and leads itself":
    "UPDATE outbox SET mail_id = 'm1' WHERE id = 'm2'",
  "only ratings share a mail": "UPDATE outbox SET mail_id = 'm1' WHERE id = 'mf'",
  "all rows of a mail have the state of the row that leads it":
    "UPDATE outbox SET state = 'pending', sent_at = NULL WHERE id = 'm1d'",
  "an outbox row that was tried or is done belongs to a mail":
    "UPDATE outbox SET mail_id = NULL WHERE id = 'mf'",
  "a mail has a sending time exactly if it was sent":
    "UPDATE outbox SET sent_at = NULL WHERE id = 'm1'",
  "a sent or skipped mail keeps no content": "UPDATE outbox SET text = 'Hello' WHERE id = 'm1d'",
  "a skipped or failed mail says why": "UPDATE outbox SET fault = NULL WHERE id = 'mc'",
  "a user's own address was confirmed by that user before the link expired":
    "UPDATE users SET own_email = 'ann@other.example' WHERE id = 'ann'",
  "a confirmation mail goes to the user who asked for it":
    "UPDATE mailed_proofs SET asked_by = 'bob'",
  "mails about ratings come in one of two rhythms":
    "INSERT INTO email_preferences (user_id, updated_at, rating_mail_rhythm) VALUES ('ann', 0, 'hourly')",
  "only the fingerprint of an address without mails is kept, and when one came back":
    "INSERT INTO mail_suppressions (fingerprint, topic) VALUES ('ann@own.example', 'rating')",
  "a user has asked once at most for a mail when there are songs again":
    "INSERT INTO song_wishes (id, user_id, asked_at, looked_at) VALUES ('wish2', 'bob', 2000, 2000)",
  "a wish for a mail is spent once the mail is owed, which it is once":
    "UPDATE outbox SET subject_id = 'wish', dedupe_key = 'songs_again:wish' WHERE id = 'ms'",
  "a customer belongs to one user":
    "UPDATE subscriptions SET customer_id = 'cus' WHERE user_id = 'bob'",
  "a subscription that goes by an address is that of the one user who has confirmed it":
    "UPDATE subscriptions SET matched_address = 'ann@other.example' WHERE user_id = 'ann'",
  "premium has a customer and a subscription": "UPDATE subscriptions SET subscription_id = NULL",
  "nobody's package has a song of their own": "UPDATE packages SET user_id = 'bob'",
  "every song that a viewer may still rate is ahead of the viewer's window or waiting in it":
    "UPDATE pool_windows SET seen_to = 200000",
  "nobody has both rated a song and passed on it": "UPDATE passes SET song_id = 'anns'",
  "nobody passes on a song of their own": "UPDATE passes SET user_id = 'bob'",
  "a song that was passed on is in no package of that user, and not listened to":
    "UPDATE passes SET user_id = 'cay'",
  "a user passes on two songs of a package at most, and on six within 24 hours": `INSERT INTO passes
    (id, user_id, song_id, package_id, slot, reason, created_at)
    VALUES ('p2', 'ann', 'bobs', 'old', 2, 'taste', 1), ('p3', 'cay', 'x', 'old', 3, 'taste', 1)`,
  "a user reports three songs within 24 hours, each once": `INSERT INTO reports
    (id, song_id, reporter_id, words, created_at) VALUES ('again', 'bobs', 'dan', '', 300000)`,
  "a user has passed on no fewer songs than are recorded": "UPDATE users SET passed_count = 0",
  "only a rating 'Added to my playlist!' remembers that the song is in a playlist":
    "UPDATE ratings SET in_playlist = 1",
  "only a rating 'Added to my playlist!' remembers that its giver wants to know when it is out":
    "UPDATE ratings SET wants_release = 1",
  "who waits for a release has rated that own recording 'Added to my playlist!'":
    "UPDATE release_wishes SET user_id = 'cay'",
  "a wish for a release is spent once its mail is owed": `INSERT INTO outbox
      (id, user_id, kind, subject_id, dedupe_key, created_at)
    VALUES ('mo', 'bob', 'release', 'own', 'release:own:bob', 1000)`,
  "only own recordings have a release here, at an https address":
    "UPDATE releases SET url = 'http://dan.bandcamp.com/track/own'",
  "who has put a song into a playlist has rated it": "UPDATE playlist_adds SET user_id = 'cay'",
  "a rating 'Added to my playlist!' remembers a playlist of the day after it":
    "UPDATE ratings SET score = 4",
  "a closed report does not say whose it is": "UPDATE reports SET closed_at = 300001",
  "of one mailbox three notices come within 24 hours, and one about one thing is open": `INSERT INTO
    notices (id, location, words, name, address, created_at)
    VALUES ('n1', 'x', '', '', 'a@b.example', 1), ('n2', 'x', '', '', 'a+t@b.example', 2)`,
  "a departure has a fingerprint as its key":
    "INSERT INTO departures (id, left_at) VALUES ('spotify-dan', 0)",
  "nothing is drawn or submitted within a day of leaving": `INSERT INTO departures
    (id, user_id, left_at) VALUES ('${"d".repeat(43)}', 'cay', 0)`,
  "no song is rated that the rater had rated with an account deleted since": `INSERT INTO departures
    (id, user_id, left_at) VALUES ('${"d".repeat(43)}', 'dan', -90000000);
    INSERT INTO rating_marks (departure_id, song_id) VALUES ('${"d".repeat(43)}', 'anns')`,
  "a user has one package, and no two of its songs have the same position":
    "UPDATE package_songs SET position = 0",
};

/** The world in a database without the constraints that would refuse broken rows. */
function lenientWorld() {
  const db = migratedDatabase({ foreignKeys: false });
  db.exec("PRAGMA ignore_check_constraints = ON");
  for (const trigger of [
    "ratings_after_listen",
    "ratings_open_recording",
    "passes_unrated",
    "round_members_stay_alone",
  ]) {
    db.exec(`DROP TRIGGER ${trigger}`);
  }
  // Except for those that a composite foreign key needs.
  const indexes = db.prepare(
    `SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE 'CREATE UNIQUE INDEX%'
       AND name NOT IN ('songs_id_owner', 'recordings_id_owner')`,
  );
  for (const { name } of indexes.all()) db.exec(`DROP INDEX "${name}"`);
  db.exec(world);
  return db;
}

const db = lenientWorld();

/** The invariants that a change of the world breaks. */
async function brokenBy(change: string): Promise<string[]> {
  db.exec(`SAVEPOINT world; ${change}`);
  try {
    return (await findViolations(db)).map(({ name }) => name);
  } finally {
    db.exec("ROLLBACK TO world; RELEASE world");
  }
}

test("nothing is broken in the world", async () => {
  expect(await brokenBy("")).toEqual([]);
});

test.each(invariants.map(({ name }) => name))("is found if it is broken: %s", async (name) => {
  const plant = plants[name];
  expect(plant).toBeDefined();
  expect(await brokenBy(plant ?? "")).toContain(name);
});

test("the schema allows the rows of these tests", async () => {
  const db = migratedDatabase();
  db.exec(world);
  expect(await findViolations(db)).toEqual([]);
});

test("a seeded database breaks no invariant", async () => {
  const db = migratedDatabase();
  db.exec(seedSql("http://127.0.0.1:8788", Date.UTC(2026, 0, 15)));
  expect(db.prepare("SELECT count(*) AS songs FROM songs").get()).not.toEqual({ songs: 0 });
  expect(await findViolations(db)).toEqual([]);
});

const dated = "owed_since is the time of the oldest submission that is still owed ratings";
const leads = "the row that leads a mail belongs to the same user and leads itself";
const confirmed = "a user's own address was confirmed by that user before the link expired";

test.each([
  [dated, "UPDATE songs SET owed_since = NULL WHERE id = 'anns'"],
  [dated, "UPDATE songs SET owed = 0 WHERE id = 'anns'"],
  [leads, "UPDATE outbox SET mail_id = 'nobody' WHERE id = 'm2'"],
  [leads, "UPDATE outbox SET mail_id = 'm1d' WHERE id = 'm1'"],
  [
    "a wish for a mail is spent once the mail is owed, which it is once",
    `INSERT INTO outbox (id, user_id, kind, subject_id, dedupe_key, created_at)
      VALUES ('ms2', 'bob', 'songs_again', 'spent', 'songs_again:again', 1000)`,
  ],
  [confirmed, "UPDATE mailed_proofs SET used_at = NULL"],
  [confirmed, "UPDATE mailed_proofs SET used_at = 9000"],
  [confirmed, "UPDATE mailed_proofs SET asked_by = 'bob'"],
  ["a skipped or failed mail says why", "UPDATE outbox SET fault = NULL WHERE id = 'mf'"],
  [
    "a mail has a sending time exactly if it was sent",
    "UPDATE outbox SET sent_at = 1 WHERE id = 'm2'",
  ],
  [
    "an outbox row that was tried or is done belongs to a mail",
    "UPDATE outbox SET attempts = 1 WHERE id = 'm2'",
  ],
])("%s: also broken by %s", async (name, plant) => {
  expect(await brokenBy(plant)).toContain(name);
});
