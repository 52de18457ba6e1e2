/** Writes the rows of a generated database. */
import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { maxScore, ratingsPerSubmission } from "../../../app/db/rules.ts";
import {
  outboxRow,
  type Row,
  ratingRows,
  songRow,
  submissionRow,
  userRow,
} from "../../sandbox/rows.ts";

/** A user who is not written yet, with the counters so far. */
export interface Person {
  id: string;
  rated: number;
  submitted: number;
  /** Credits. */
  spent: number;
  /** Songs passed on. */
  passed: number;
}

/** Times are in epoch milliseconds. */
export interface Song {
  id: string;
  owner: Person;
  createdAt: number;
  /** Ratings come in between its last submission and this. */
  activeAt: number;
  submissions: number;
}

const minute = 60_000;
const day = 24 * 60 * minute;
const threshold = 6;

/** Creates a writer of users, songs and ratings. It only inserts. */
export function createWriter(database: DatabaseSync, random: () => number, now: number) {
  const insert = inserter(database);
  let made = 0;

  function mail(kind: "rating" | "submission", userId: string, subject: string, at: number) {
    const id = randomUUID();
    const sent = { mail_id: id, state: "sent", attempts: 1, sent_at: at + 5 * minute };
    const times = { created_at: at, not_before: at + 10 * minute };
    insert(
      "outbox",
      outboxRow({ id, user_id: userId, kind, subject_id: subject, ...sent, ...times }),
    );
  }

  function submit(song: Song, number: number, received: number) {
    const { owner } = song;
    const spent = Math.min(threshold, owner.rated - owner.spent);
    const id = randomUUID();
    const about = { song_id: song.id, owner_id: owner.id, number };
    const created_at = number === 1 ? song.createdAt : submittedAgain(song);
    const completed_at = number * ratingsPerSubmission <= received ? song.activeAt : null;
    const price = { spent, limited: spent < threshold ? 1 : 0 };
    insert("submissions", submissionRow({ id, ...about, ...price, created_at, completed_at }));
    owner.spent += spent;
    owner.submitted += 1;
    if (random() < 0.6) mail("submission", owner.id, id, created_at);
  }

  return {
    /** Writes a song with its submissions, the first at `createdAt`. Its ratings are written separately. */
    song(
      owner: Person,
      createdAt: number,
      { submissions, received }: { submissions: number; received: number },
    ): Song {
      const activeAt = Math.floor((createdAt + now) / 2 + (random() * (now - createdAt)) / 2.1);
      const song = { id: randomUUID(), owner, createdAt, activeAt, submissions };
      const entitled = ratingsPerSubmission * submissions;
      insert(
        "songs",
        songRow({
          id: song.id,
          owner_id: owner.id,
          created_at: createdAt,
          track_id: randomUUID().replaceAll("-", "").slice(0, 22),
          entitled,
          received,
          owed: entitled - received,
          // No song here has more ratings than its first submission promised.
          owed_since: received < ratingsPerSubmission ? createdAt : null,
          active_at: activeAt - (activeAt % minute),
        }),
      );
      for (let number = 1; number <= submissions; number += 1) submit(song, number, received);
      return song;
    },

    /** Writes a rating with its listen and perhaps its mail. */
    rating(song: Song, rater: Person) {
      const since = song.submissions === 1 ? song.createdAt : submittedAgain(song);
      const at = Math.floor(since + minute + random() * (song.activeAt - since - minute));
      const id = randomUUID();
      const owes_mail = random() < 0.6 ? 1 : 0;
      const { listen, rating } = ratingRows({
        id,
        song_id: song.id,
        owner_id: song.owner.id,
        rater_id: rater.id,
        created_at: at,
        score: 1 + Math.floor(random() * maxScore),
        owes_mail,
      });
      insert("listens", listen);
      insert("ratings", rating);
      rater.rated += 1;
      if (owes_mail) mail("rating", song.owner.id, id, at);
    },

    /** Writes a user, after all ratings and songs. */
    user({ id, rated, submitted, spent, passed }: Person) {
      made += 1;
      insert(
        "users",
        userRow({
          id,
          email: `musician-${made}@musicians.example`,
          credits: rated - spent,
          rated_count: rated,
          submitted_count: submitted,
          passed_count: passed,
          created_at: now - 29 * day,
        }),
      );
    },

    /** Writes that somebody has passed on a song, with no more than six of them within 24 hours. */
    pass(viewer: Person, song: Song, at: number) {
      viewer.passed += 1;
      const about = { user_id: viewer.id, song_id: song.id, package_id: randomUUID() };
      insert("passes", { id: randomUUID(), ...about, slot: 1, reason: "taste", created_at: at });
    },

    package(viewer: Person, songs: Song[]) {
      const id = randomUUID();
      insert("packages", { id, user_id: viewer.id, number: 1, drawn_at: now - 60 * minute });
      songs.forEach((song, position) => {
        insert("package_songs", { package_id: id, song_id: song.id, position });
      });
    },
  };
}

/** When a song with two submissions was submitted the second time. */
function submittedAgain({ createdAt, activeAt }: Song): number {
  return Math.floor((createdAt + activeAt) / 2);
}

/** Inserts rows given by column names, which must be the same for all rows of a table. */
function inserter(database: DatabaseSync) {
  const statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  return (table: string, row: Row) => {
    let statement = statements.get(table);
    if (!statement) {
      const columns = Object.keys(row);
      statement = database.prepare(
        `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
      );
      statements.set(table, statement);
    }
    statement.run(...Object.values(row));
  };
}
