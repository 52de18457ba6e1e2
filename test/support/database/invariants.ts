/** What must hold in the whole database at any time, as queries for the rows that break it. */

import { maxScore, minScore, playlistScore } from "../../../app/db/rules.ts";
import { dayMs } from "../../../app/platform/dates.ts";

export interface Invariant {
  name: string;
  sql: string;
}

export const invariants: Invariant[] = [
  {
    name: "every reference leads to a row",
    sql: 'SELECT "table", rowid, parent FROM pragma_foreign_key_check',
  },
  {
    name: "one rating per rater and song",
    sql: `SELECT rater_id, song_id, count(*) AS ratings FROM ratings
          WHERE rater_id IS NOT NULL GROUP BY rater_id, song_id HAVING count(*) > 1`,
  },
  {
    name: "one rating per rater, owner and track",
    sql: `SELECT ratings.rater_id, songs.owner_id, songs.track_id FROM ratings
          JOIN songs ON songs.id = ratings.song_id
          WHERE ratings.rater_id IS NOT NULL AND songs.track_id IS NOT NULL
          GROUP BY 1, 2, 3 HAVING count(*) > 1`,
  },
  {
    name: "one rating per rater and recording",
    sql: `SELECT rater_id, recording FROM ratings
          WHERE rater_id IS NOT NULL AND recording IS NOT NULL
          GROUP BY rater_id, recording HAVING count(*) > 1`,
  },
  {
    name: "all songs of a track have one recording: its code, or without one the track",
    sql: `SELECT track_id FROM songs WHERE track_id IS NOT NULL GROUP BY track_id
          HAVING count(DISTINCT recording) > 1 OR max(recording IS NOT coalesce(isrc, track_id))`,
  },
  {
    name: "the recording of a song without a track is the hash of its file",
    sql: `SELECT songs.id FROM songs LEFT JOIN recordings ON recordings.id = own_recording_id
          WHERE songs.track_id IS NULL AND songs.recording IS NOT recordings.hash`,
  },
  {
    // Of two songs that turned out to be one recording, a rater of both has one copy.
    name: "ratings, passes and marks have their song's recording",
    sql: `SELECT ratings.id FROM ratings JOIN songs ON songs.id = song_id
          WHERE ratings.recording IS NOT songs.recording AND NOT (
            ratings.recording = songs.id AND EXISTS (
              SELECT 1 FROM ratings AS other
              WHERE other.rater_id = ratings.rater_id AND other.recording = songs.recording))
          UNION ALL SELECT passes.id FROM passes JOIN songs ON songs.id = song_id
          WHERE passes.recording IS NOT songs.recording
          UNION ALL SELECT song_id FROM rating_marks JOIN songs ON songs.id = song_id
          WHERE rating_marks.recording IS NOT songs.recording`,
  },
  {
    name: "nobody rates their own song",
    sql: `SELECT ratings.id FROM ratings JOIN songs ON songs.id = ratings.song_id
          WHERE ratings.rater_id = songs.owner_id`,
  },
  {
    name: "a rating names the owner of its song",
    sql: `SELECT ratings.id FROM ratings JOIN songs ON songs.id = ratings.song_id
          WHERE ratings.owner_id <> songs.owner_id`,
  },
  {
    name: "a score is on the scale",
    sql: `SELECT id, score FROM ratings WHERE score NOT BETWEEN ${minScore} AND ${maxScore}`,
  },
  {
    name: "a rating has one to three reasons or none, and none of them on both sides",
    sql: `SELECT id, reasons FROM ratings WHERE reasons IS NOT NULL
          AND (reasons NOT BETWEEN 1 AND 4095 OR reasons & (reasons >> 6) <> 0
            OR (SELECT sum(reasons >> value & 1) FROM json_each('[0,1,2,3,4,5,6,7,8,9,10,11]')) > 3)`,
  },
  {
    // A rating whose listen was purged had it when it was written: a trigger ensures that.
    name: "a rating has a finished listen of the same rater and song, unless that was purged",
    sql: `SELECT ratings.id FROM ratings JOIN listens ON listens.id = ratings.listen_id
          WHERE listens.finished_at IS NULL OR listens.user_id IS NOT ratings.rater_id
             OR listens.song_id <> ratings.song_id`,
  },
  {
    name: "a rating comes after its listen has finished and is closed",
    sql: `SELECT ratings.id FROM ratings JOIN listens ON listens.id = ratings.listen_id
          WHERE ratings.created_at < listens.finished_at OR listens.closed_at IS NULL`,
  },
  {
    name: "a listen has at most one rating",
    sql: `SELECT listen_id FROM ratings WHERE listen_id IS NOT NULL
          GROUP BY listen_id HAVING count(*) > 1`,
  },
  {
    name: "a listen finishes after its unlock, and has evidence exactly if it finished",
    sql: `SELECT id FROM listens
          WHERE finished_at < started_at + (required_seconds + 1) * 1000
             OR (finished_at IS NULL) <> (evidence IS NULL)`,
  },
  {
    name: "a user has at most one open listen",
    sql: `SELECT user_id FROM listens WHERE closed_at IS NULL
          GROUP BY user_id HAVING count(*) > 1`,
  },
  {
    name: "nobody listens to their own song",
    sql: `SELECT listens.id FROM listens JOIN songs ON songs.id = listens.song_id
          WHERE listens.user_id = songs.owner_id`,
  },
  {
    name: "received is the number of ratings",
    sql: `SELECT songs.id, received, count(ratings.id) AS ratings FROM songs
          LEFT JOIN ratings ON ratings.song_id = songs.id AND (round_id IS NULL OR sealed = 0)
          GROUP BY songs.id HAVING received <> count(ratings.id)`,
  },
  {
    name: "entitled is five per submission",
    sql: `SELECT songs.id, entitled, count(submissions.id) AS submissions FROM songs
          LEFT JOIN submissions ON submissions.song_id = songs.id
          GROUP BY songs.id
          HAVING entitled <> 5 * count(submissions.id) OR entitled <> total(allotment)`,
  },
  {
    name: "owed_since is the time of the oldest submission that is still owed ratings",
    sql: `SELECT songs.id, owed_since, owed.created_at AS oldest FROM songs
          LEFT JOIN submissions AS owed
            ON owed.song_id = songs.id AND owed.number = (songs.entitled - songs.owed) / 5 + 1
          WHERE owed_since IS NOT CASE WHEN songs.owed > 0 THEN owed.created_at END
             OR (owed_since IS NULL) <> (songs.owed <= 0)`,
  },
  {
    name: "a song has been active since it was last submitted or rated, to the minute",
    sql: `SELECT id, active_at FROM songs
          WHERE active_at % 60000 <> 0
             OR active_at + 60000 <= (SELECT max(created_at) FROM submissions WHERE song_id = songs.id)
             OR active_at + 60000 <= (SELECT max(created_at) FROM ratings WHERE song_id = songs.id AND round_id IS NULL)`,
  },
  {
    name: "what is new of a song began no later than its last rating or submission",
    sql: "SELECT id, news_since, active_at FROM songs WHERE news_since > active_at",
  },
  {
    name: "each owner's two non-resting songs with the oldest promises are in line, and no others",
    sql: `SELECT id, place FROM (
            SELECT id, line_since, offered, row_number() OVER (
              PARTITION BY owner_id, offered ORDER BY owed_since, id) AS place
            FROM (SELECT *, owed_since IS NOT NULL AND resting_since IS NULL AS offered FROM songs))
          WHERE (line_since IS NOT NULL) <> (offered AND place <= 2)`,
  },
  {
    name: "no song has been in line since before its promise",
    sql: "SELECT id, line_since, owed_since FROM songs WHERE line_since < owed_since",
  },
  {
    name: "a resting song is owed ratings",
    sql: "SELECT id FROM songs WHERE resting_since IS NOT NULL AND owed = 0",
  },
  {
    name: "only a resting song is withdrawn",
    sql: "SELECT id FROM songs WHERE resting_since IS NULL AND withdrawn <> 0",
  },
  {
    name: "a song that is owed ratings and was refused to three listeners rests",
    sql: `SELECT song_id FROM unplayable_reports JOIN songs ON songs.id = song_id
          WHERE owed > 0 AND (resting_since IS NULL OR withdrawn = 1 AND taken_out IS NULL) AND answered_at IS NULL GROUP BY song_id HAVING count(*) > 2`,
  },
  {
    name: "a mail about a resting song goes to its owner",
    sql: `SELECT outbox.id FROM outbox LEFT JOIN songs ON songs.id = outbox.subject_id
          WHERE kind = 'resting' AND songs.owner_id IS NOT outbox.user_id`,
  },
  {
    name: "every promised rating was received or is owed",
    sql: `SELECT id, entitled, received, owed FROM songs
          WHERE owed > entitled OR owed < entitled - received OR owed < 0`,
  },
  {
    name: "a submission is completed exactly when none of its ratings is owed",
    sql: `SELECT submissions.id FROM submissions JOIN songs ON songs.id = submissions.song_id
          WHERE (completed_at IS NOT NULL) <> (number * 5 <= entitled - owed)`,
  },
  {
    name: "the submissions of a song are numbered from 1 without gaps",
    sql: `SELECT song_id FROM submissions GROUP BY song_id
          HAVING min(number) <> 1 OR max(number) <> count(*)
             OR count(DISTINCT number) <> count(*)`,
  },
  {
    name: "a submission names the owner of its song",
    sql: `SELECT submissions.id FROM submissions JOIN songs ON songs.id = submissions.song_id
          WHERE submissions.owner_id <> songs.owner_id`,
  },
  {
    name: "a user has one song per track",
    sql: `SELECT owner_id, track_id FROM songs WHERE track_id IS NOT NULL
          GROUP BY 1, 2 HAVING count(*) > 1`,
  },
  {
    name: "a user has one song per file",
    sql: `SELECT owner_id, recording FROM songs WHERE track_id IS NULL
          GROUP BY 1, 2 HAVING count(*) > 1`,
  },
  {
    name: "a song's latest submission is of the file that is heard, and its owner's",
    sql: `SELECT songs.id FROM songs JOIN submissions ON song_id = songs.id
            AND number = (SELECT max(number) FROM submissions WHERE song_id = songs.id)
          LEFT JOIN recordings ON recordings.id = songs.own_recording_id
          WHERE submissions.own_recording_id IS NOT songs.own_recording_id
            OR songs.track_id IS NULL AND recordings.owner_id IS NOT songs.owner_id`,
  },
  {
    name: "credits are the ratings given minus those spent, and not negative",
    sql: `SELECT id, credits FROM users
          WHERE credits < 0
             OR credits <> rated_count - (SELECT total(spent) FROM submissions
                                          WHERE owner_id = users.id)`,
  },
  {
    name: "rated_count is the number of ratings given, including those of withdrawn songs",
    sql: `SELECT id, rated_count FROM users
          WHERE rated_count - rated_withdrawn
             <> (SELECT count(*) FROM ratings WHERE rater_id = users.id AND round_id IS NULL)`,
  },
  {
    name: "a rating of a round comes after it has begun, is no news, and stays sealed until it is open",
    sql: `SELECT ratings.id FROM ratings JOIN rounds ON rounds.id = ratings.round_id
          WHERE begun_at IS NULL OR owes_mail = 1 OR sealed = 0 AND opened_at IS NULL
             OR ratings.created_at < begun_at`,
  },
  {
    name: "a song of a round that goes on is in no other one and in no line, and no round has too many",
    sql: `SELECT song_id FROM round_members JOIN rounds ON rounds.id = round_id JOIN songs ON songs.id = song_id
          WHERE ended_at IS NULL AND rounds.opened_at IS NULL
          GROUP BY song_id HAVING count(*) > 1 OR max(owed) > 0
          UNION ALL SELECT rounds.id FROM rounds JOIN round_members ON round_id = rounds.id
          GROUP BY rounds.id HAVING count(song_id) > seats`,
  },
  {
    name: "who has opened their marks had given theirs, once the round was open",
    sql: `SELECT user_id FROM round_members JOIN rounds ON rounds.id = round_id
          WHERE round_members.opened_at IS NOT NULL AND (listened_at IS NULL OR rounds.opened_at IS NULL)`,
  },
  {
    name: "submitted_count is the number of submissions",
    sql: `SELECT id, submitted_count FROM users
          WHERE submitted_count <> (SELECT count(*) FROM submissions WHERE owner_id = users.id)`,
  },
  {
    name: "own_artists has the main artist of each song submitted",
    sql: `SELECT songs.id FROM songs JOIN users ON users.id = songs.owner_id
          WHERE entitled > 0 AND artist_ids ->> 0 IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM submissions WHERE submissions.song_id = songs.id AND request_key LIKE 'round:%')
            AND NOT EXISTS (
            SELECT 1 FROM json_each(own_artists) WHERE key = artist_ids ->> 0)`,
  },
  {
    name: "a rating that owes a mail has its row in the outbox",
    sql: `SELECT ratings.id FROM ratings
          LEFT JOIN outbox ON outbox.dedupe_key = 'rating:' || ratings.id
          WHERE owes_mail = 1 AND (outbox.id IS NULL OR outbox.subject_id <> ratings.id
             OR outbox.user_id <> ratings.owner_id OR outbox.kind <> 'rating')`,
  },
  {
    name: "a mail about a rating or a submission has that rating or submission",
    sql: `SELECT outbox.id FROM outbox
          LEFT JOIN ratings ON outbox.kind = 'rating' AND ratings.id = outbox.subject_id
          LEFT JOIN submissions ON outbox.kind = 'submission' AND submissions.id = outbox.subject_id
          WHERE outbox.kind IN ('rating', 'submission') AND (
            coalesce(ratings.id, submissions.id) IS NULL
            OR outbox.dedupe_key <> outbox.kind || ':' || outbox.subject_id
            OR ratings.owes_mail = 0)`,
  },
  {
    name: "a finished listen lasted for the time still missing at its last spot check",
    sql: `SELECT id FROM listens WHERE finished_at IS NOT NULL AND (recheck_at IS NOT NULL
            OR finished_at < coalesce(observed_at, started_at)
               + (required_seconds + 1) * 1000 - heard_ms)`,
  },
  {
    name: "a finished listen of an own recording was delivered",
    sql: `SELECT listens.id FROM listens JOIN songs ON songs.id = song_id
          WHERE track_id IS NULL AND finished_at IS NOT NULL
            AND delivered_ms < required_seconds * 1000`,
  },
  {
    name: "no listen counts more time than passed until its last spot check",
    sql: `SELECT id FROM listens
          WHERE heard_ms < 0 OR heard_ms > coalesce(observed_at, started_at) - started_at`,
  },
  {
    name: "no mail is owed twice",
    sql: "SELECT dedupe_key FROM outbox GROUP BY dedupe_key HAVING count(*) > 1",
  },
  {
    name: "the row that leads a mail belongs to the same user and leads itself",
    sql: `SELECT outbox.id FROM outbox LEFT JOIN outbox AS lead ON lead.id = outbox.mail_id
          WHERE outbox.mail_id IS NOT NULL
            AND (lead.id IS NULL OR lead.mail_id IS NOT lead.id
              OR lead.user_id IS NOT outbox.user_id)`,
  },
  {
    name: "only ratings share a mail",
    sql: `SELECT outbox.id FROM outbox JOIN outbox AS lead ON lead.id = outbox.mail_id
          WHERE lead.id <> outbox.id AND (lead.kind <> 'rating' OR outbox.kind <> 'rating')`,
  },
  {
    name: "all rows of a mail have the state of the row that leads it",
    sql: `SELECT outbox.id FROM outbox JOIN outbox AS lead ON lead.id = outbox.mail_id
          WHERE lead.state <> outbox.state OR lead.sent_at IS NOT outbox.sent_at`,
  },
  {
    name: "mails about ratings come in one of two rhythms",
    sql: `SELECT user_id FROM email_preferences
          WHERE rating_mail_rhythm NOT IN ('each', 'complete')`,
  },
  {
    name: "an outbox row that was tried or is done belongs to a mail",
    sql: `SELECT id FROM outbox
          WHERE mail_id IS NULL AND (state <> 'pending' OR attempts > 0 OR html IS NOT NULL)`,
  },
  {
    name: "a mail has a sending time exactly if it was sent",
    sql: "SELECT id FROM outbox WHERE (state = 'sent') <> (sent_at IS NOT NULL)",
  },
  {
    name: "a sent or skipped mail keeps no content",
    sql: `SELECT id FROM outbox WHERE state IN ('sent', 'skipped')
            AND coalesce("to", bcc, subject, html, text) IS NOT NULL`,
  },
  {
    name: "a skipped or failed mail says why",
    sql: "SELECT id FROM outbox WHERE state IN ('skipped', 'failed') AND fault IS NULL",
  },
  {
    name: "a user's own address was confirmed by that user before the link expired",
    sql: `SELECT id FROM users WHERE own_email IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM mailed_proofs
            WHERE asked_by = users.id AND address = own_email
              AND used_at >= created_at AND used_at < expires_at)`,
  },
  {
    name: "a subscription that goes by an address is that of the one user who has confirmed it",
    sql: `SELECT user_id FROM subscriptions WHERE matched_address IS NOT NULL AND status <> 'none'
            AND user_id IS NOT (SELECT group_concat(id) FROM users
              WHERE own_email IS NOT NULL AND lower(own_email) = matched_address)`,
  },
  {
    name: "a confirmation mail goes to the user who asked for it",
    sql: `SELECT outbox.id FROM outbox
          JOIN mailed_proofs ON mailed_proofs.id = outbox.subject_id
          WHERE outbox.kind = 'confirmation'
            AND (mailed_proofs.asked_by IS NOT outbox.user_id
              OR outbox.dedupe_key <> 'confirmation:' || outbox.subject_id)`,
  },
  {
    name: "a code's mail is owed once, in no words",
    sql: `SELECT outbox.id FROM outbox LEFT JOIN mailed_proofs ON mailed_proofs.id = subject_id
          WHERE outbox.kind = 'login_code' AND (dedupe_key <> 'login_code:' || subject_id
            OR "to" IS NOT NULL OR mailed_proofs.id IS NULL AND state = 'pending')`,
  },
  {
    name: "a code that has opened a session was verified before it expired",
    sql: `SELECT code_id FROM login_grants JOIN mailed_proofs ON mailed_proofs.id = code_id
          WHERE verified_at >= expires_at OR verified_at < created_at
          UNION ALL SELECT id FROM mailed_proofs WHERE wrong_tries > 5`,
  },
  {
    name: "only the fingerprint of an address without mails is kept, and when one came back",
    sql: `SELECT fingerprint FROM mail_suppressions
          WHERE length(fingerprint) <> 43 OR fingerprint GLOB '*[^A-Za-z0-9_-]*'
            OR topic NOT IN ('rating', 'subscription', 'songs', 'rounds', 'notices', 'bounced', 'complained')
            OR (bounced_at IS NOT NULL) <> (topic = 'bounced')`,
  },
  {
    name: "a user has asked once at most for a mail when there are songs again",
    sql: "SELECT user_id FROM song_wishes GROUP BY user_id HAVING count(*) > 1",
  },
  {
    name: "a wish for a mail is spent once the mail is owed, which it is once",
    sql: `SELECT outbox.id FROM outbox LEFT JOIN song_wishes ON song_wishes.id = outbox.subject_id
          WHERE kind = 'songs_again' AND (song_wishes.id IS NOT NULL
            OR dedupe_key <> 'songs_again:' || subject_id
            OR EXISTS (SELECT 1 FROM outbox AS other WHERE other.kind = 'songs_again'
                         AND other.subject_id = outbox.subject_id AND other.id <> outbox.id))`,
  },
  {
    name: "a customer belongs to one user",
    sql: `SELECT customer_id FROM subscriptions WHERE customer_id IS NOT NULL
          GROUP BY customer_id HAVING count(*) > 1`,
  },
  {
    name: "premium has a customer and a subscription",
    sql: `SELECT user_id FROM subscriptions
          WHERE tier = 'premium' AND (customer_id IS NULL OR subscription_id IS NULL)`,
  },
  {
    name: "a file that is to be deleted belongs to no recording that has its file",
    sql: `SELECT key FROM file_deletions JOIN recordings
            ON key IN (recordings.id || '/audio', recordings.id || '/cover')
          WHERE file_ended_at IS NULL`,
  },
  {
    name: "an owner has a file in one draft at most",
    sql: `SELECT owner_id, hash FROM recordings WHERE state = 'draft' AND file_ended_at IS NULL
          GROUP BY 1, 2 HAVING count(*) > 1`,
  },
  {
    name: "nobody's package has a song of their own",
    sql: `SELECT packages.id FROM packages
          JOIN package_songs ON package_songs.package_id = packages.id
          JOIN songs ON songs.id = package_songs.song_id
          WHERE songs.owner_id = packages.user_id`,
  },
  {
    name: "every song that a viewer may still rate is ahead of the viewer's window or waiting in it",
    sql: `SELECT pool_windows.user_id, songs.id FROM pool_windows
          JOIN songs ON songs.line_since <= pool_windows.seen_to AND songs.owner_id <> user_id
            AND (hears_spotify OR songs.track_id IS NULL)
          WHERE songs.id NOT IN (SELECT value FROM json_each(pool_windows.waiting))
            AND NOT EXISTS (SELECT 1 FROM ratings
                            WHERE ratings.recording = songs.recording AND rater_id = user_id)
            AND NOT EXISTS (SELECT 1 FROM passes
                            WHERE passes.recording = songs.recording
                              AND passes.user_id = pool_windows.user_id)
            AND NOT EXISTS (SELECT 1 FROM departures JOIN rating_marks ON departure_id = departures.id
                            WHERE departures.user_id = pool_windows.user_id
                              AND rating_marks.recording = songs.recording)
            AND NOT EXISTS (SELECT 1 FROM songs AS own
                            WHERE own.owner_id = user_id AND own.recording = songs.recording)`,
  },
  {
    name: "nobody has both rated a song and passed on it",
    sql: `SELECT passes.id FROM passes
          JOIN ratings ON rater_id = user_id AND ratings.song_id = passes.song_id`,
  },
  {
    name: "nobody passes on a song of their own",
    sql: `SELECT passes.id FROM passes JOIN songs ON songs.id = song_id AND owner_id = user_id`,
  },
  {
    name: "a song that was passed on is in no package of that user, and not listened to",
    sql: `SELECT passes.id FROM passes
          LEFT JOIN packages ON packages.user_id = passes.user_id
          LEFT JOIN package_songs
            ON package_songs.package_id = packages.id AND package_songs.song_id = passes.song_id
          LEFT JOIN listens ON listens.user_id = passes.user_id
            AND listens.song_id = passes.song_id AND closed_at IS NULL
          WHERE coalesce(package_songs.song_id, listens.id) IS NOT NULL`,
  },
  {
    name: "a user passes on two songs of a package at most, and on six within 24 hours",
    sql: `SELECT id FROM passes AS late WHERE 6 < (
            SELECT count(slot) FROM passes WHERE passes.user_id = late.user_id
              AND passes.created_at BETWEEN late.created_at - 86399999 AND late.created_at)
          UNION ALL SELECT max(id) FROM passes GROUP BY package_id HAVING count(slot) > 2`,
  },
  {
    name: "a user reports three songs within 24 hours, each once",
    sql: `SELECT id FROM reports AS late WHERE 3 < (
            SELECT count(*) FROM reports WHERE reports.reporter_id = late.reporter_id
              AND reports.created_at BETWEEN late.created_at - 86399999 AND late.created_at)
          UNION ALL SELECT max(id) FROM reports WHERE reporter_id IS NOT NULL
          GROUP BY reporter_id, song_id HAVING count(*) > 1`,
  },
  {
    name: "a user has passed on no fewer songs than are recorded",
    sql: `SELECT id FROM users
          WHERE passed_count < (SELECT count(*) FROM passes WHERE user_id = users.id)`,
  },
  {
    name: "only a rating 'Added to my playlist!' remembers that the song is in a playlist",
    sql: `SELECT id, score, in_playlist FROM ratings
          WHERE in_playlist NOT IN (0, 1) OR (in_playlist = 1 AND score <> ${playlistScore})`,
  },
  {
    name: "only a rating 'Added to my playlist!' remembers that its giver wants to know when it is out",
    sql: `SELECT id, score, wants_release FROM ratings
          WHERE wants_release NOT IN (0, 1) OR (wants_release = 1 AND score <> ${playlistScore})`,
  },
  {
    name: "who waits for a release has rated that own recording 'Added to my playlist!'",
    sql: `SELECT wish.rowid FROM release_wishes AS wish JOIN songs ON songs.id = wish.song_id
          WHERE track_id IS NOT NULL OR NOT EXISTS (SELECT 1 FROM ratings
            WHERE rater_id = wish.user_id AND ratings.song_id = wish.song_id
              AND score = ${playlistScore})`,
  },
  {
    name: "a wish for a release is spent once its mail is owed",
    sql: `SELECT outbox.id FROM outbox LEFT JOIN release_wishes AS wish
            ON wish.user_id = outbox.user_id AND wish.song_id = outbox.subject_id
          WHERE kind = 'release' AND (wish.song_id IS NOT NULL
            OR dedupe_key <> 'release:' || subject_id || ':' || outbox.user_id)`,
  },
  {
    name: "only own recordings have a release here, at an https address",
    sql: `SELECT song_id FROM releases JOIN songs ON songs.id = song_id
          WHERE track_id IS NOT NULL OR url NOT GLOB 'https://?*'`,
  },
  {
    name: "who has put a song into a playlist has rated it",
    sql: `SELECT playlist_adds.rowid FROM playlist_adds
          LEFT JOIN ratings ON rater_id = user_id AND ratings.song_id = playlist_adds.song_id
          WHERE ratings.id IS NULL`,
  },
  {
    name: "a rating 'Added to my playlist!' remembers a playlist of the day after it",
    sql: `SELECT ratings.id FROM playlist_adds
          JOIN ratings ON rater_id = user_id AND ratings.song_id = playlist_adds.song_id
          WHERE score = ${playlistScore} AND in_playlist = 0
            AND added_at - ratings.created_at < 86400000`,
  },
  {
    name: "a closed report does not say whose it is",
    sql: "SELECT id FROM reports WHERE closed_at IS NOT NULL AND reporter_id IS NOT NULL",
  },
  {
    name: "of one mailbox three notices come within 24 hours, and one about one thing is open",
    sql: `SELECT id FROM notices AS late WHERE 3 < (
            SELECT count(*) FROM notices WHERE notices.mailbox = late.mailbox
              AND notices.created_at BETWEEN late.created_at - 86399999 AND late.created_at)
          UNION ALL SELECT max(id) FROM notices WHERE decided_at IS NULL
          GROUP BY mailbox, location HAVING count(*) > 1`,
  },
  {
    name: "a departure has a fingerprint as its key",
    sql: `SELECT id FROM departures WHERE length(id) <> 43 OR id GLOB '*[^A-Za-z0-9_-]*'`,
  },
  {
    name: "nothing is drawn or submitted within a day of leaving",
    sql: `SELECT user_id FROM departures JOIN packages USING (user_id)
          WHERE drawn_at BETWEEN coalesce(recognised_at, left_at) AND left_at + ${dayMs - 1}
          UNION ALL SELECT user_id FROM departures JOIN submissions ON owner_id = user_id
          WHERE created_at BETWEEN coalesce(recognised_at, left_at) AND left_at + ${dayMs - 1}`,
  },
  {
    name: "no song is rated that the rater had rated with an account deleted since",
    sql: `SELECT ratings.id FROM departures JOIN rating_marks ON departure_id = departures.id
          JOIN ratings ON rater_id = user_id AND ratings.song_id = rating_marks.song_id
          WHERE ratings.created_at >= coalesce(recognised_at, left_at)`,
  },
  {
    name: "a user has one package, and no two of its songs have the same position",
    sql: `SELECT packages.id FROM packages
          LEFT JOIN package_songs ON package_songs.package_id = packages.id
          GROUP BY packages.user_id
          HAVING count(DISTINCT packages.id) > 1 OR count(DISTINCT position) <> count(position)`,
  },
];

export interface SqlReader {
  prepare(sql: string): { all(): unknown };
}

export interface Violation {
  name: string;
  rows: unknown[];
}

/** Returns for each invariant whether it is broken, because one query is cheaper than fifty. */
const anyBroken = `SELECT ${invariants.map(({ sql }, n) => `EXISTS (${sql}) AS i${n}`).join(", ")}`;

export async function findViolations(db: SqlReader): Promise<Violation[]> {
  const [broken] = rowsOf(await db.prepare(anyBroken).all()) as Record<string, number>[];
  const violations: Violation[] = [];
  for (const [n, { name, sql }] of invariants.entries()) {
    if (broken?.[`i${n}`]) violations.push({ name, rows: rowsOf(await db.prepare(sql).all()) });
  }
  return violations;
}

/** node:sqlite returns the rows themselves, D1 an object with them. */
function rowsOf(answer: unknown): unknown[] {
  if (Array.isArray(answer)) return answer;
  return (answer as { results: unknown[] }).results;
}
