/** Writes the rows of a generated database, with the same lengths as the app's. */
import { randomBytes, randomUUID } from "node:crypto";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { maxScore } from "../../../app/db/rules.ts";

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

export interface Song {
  id: string;
  owner: Person;
  /** Epoch milliseconds, like all times here. */
  createdAt: number;
  /** Ratings come in between its last submission and this. */
  activeAt: number;
  submissions: number;
  /** The file of an own recording; null for a track. */
  fileId: string | null;
}

const minute = 60_000;
const day = 24 * 60 * minute;
const threshold = 6;
/** One song of so many is an own recording. */
const songsPerOwn = 3;
const promised = 5;
/** The bits of one reason that was liked. */
const likedVocals = 1;
/** The lengths of Spotify's encrypted tokens as text. */
const tokenLengths = { access: 320, refresh: 220 };

/** Creates a writer of users, songs and ratings. It only inserts. */
export function createWriter(database: DatabaseSync, random: () => number, now: number) {
  const insert = inserter(database);
  const chance = (share: number) => random() < share;
  let made = 0;

  function log(
    kind: "login" | "submission" | "rating",
    userId: string,
    at: number,
    about: Row = {},
  ) {
    insert("activity_log", {
      id: randomUUID(),
      kind,
      user_id: userId,
      ...noSong,
      ...about,
      created_at: at,
    });
  }

  function mail(
    kind: "rating" | "submission",
    userId: string,
    subject: string,
    at: number,
    late: boolean,
  ) {
    const id = randomUUID();
    const state = late
      ? {
          state: "pending",
          mail_id: null,
          attempts: 0,
          sent_at: null,
          not_before: now - 60 * minute,
        }
      : {
          state: "sent",
          mail_id: id,
          attempts: 1,
          sent_at: at + 5 * minute,
          not_before: at + 10 * minute,
        };
    const about = { subject_id: subject, dedupe_key: `${kind}:${subject}` };
    insert("outbox", { id, user_id: userId, kind, ...about, ...state, created_at: at });
  }

  function submit(song: Song, number: number, received: number) {
    const at = number === 1 ? song.createdAt : submittedAgain(song);
    const { owner } = song;
    const spent = Math.min(threshold, owner.rated - owner.spent);
    const id = randomUUID();
    insert("submissions", {
      id,
      song_id: song.id,
      owner_id: owner.id,
      own_recording_id: song.fileId,
      number,
      spent,
      limited: spent < threshold ? 1 : 0,
      request_key: `${randomUUID()}:${trackId()}`,
      created_at: at,
      completed_at: number * promised <= received ? song.activeAt : null,
    });
    owner.spent += spent;
    owner.submitted += 1;
    log("submission", owner.id, at, { song_id: song.id });
    if (chance(0.6)) mail("submission", owner.id, id, at, false);
  }

  return {
    /** Writes a song with its submissions, the first at `createdAt`. Its ratings are written separately. */
    song(
      owner: Person,
      createdAt: number,
      { submissions, received }: { submissions: number; received: number },
    ): Song {
      made += 1;
      const activeAt = Math.floor((createdAt + now) / 2 + (random() * (now - createdAt)) / 2.1);
      const fileId = made % songsPerOwn === 0 ? randomUUID() : null;
      const song = { id: randomUUID(), owner, createdAt, activeAt, submissions, fileId };
      const entitled = promised * submissions;
      const track = fileId === null ? trackId() : null;
      const title = `The ${made}th Song of a Summer`;
      const durationMs = 120_000 + Math.floor(random() * 180_000);
      if (fileId !== null) {
        insert("recordings", {
          ...{ id: fileId, owner_id: owner.id, state: "submitted", type: "mp3", title },
          ...{ hash: randomBytes(32).toString("hex"), bytes: 40 * durationMs },
          drawn_from: randomBytes(32).toString("hex"),
          ...{ duration_ms: durationMs, audio_start: 4000, artist: "A Musician", hearing: "heard" },
          created_at: createdAt,
        });
      }
      insert("songs", {
        id: song.id,
        owner_id: owner.id,
        track_id: track,
        own_recording_id: fileId,
        title,
        artists: JSON.stringify(chance(0.3) ? ["A Musician", "Another Musician"] : ["A Musician"]),
        album: track === null ? "" : `Songs of the Summer, Volume ${made % 100}`,
        art_url: track && `https://i.scdn.co/image/${randomBytes(20).toString("hex")}`,
        duration_ms: durationMs,
        isrc: track && `QZ${String(made).padStart(10, "0")}`,
        spotify_url: track && `https://open.spotify.com/track/${track}`,
        fetched_at: createdAt,
        entitled,
        received,
        owed: entitled - received,
        // No song here has more ratings than its first submission promised.
        owed_since: received < promised ? createdAt : null,
        created_at: createdAt,
        active_at: activeAt - (activeAt % minute),
      });
      for (let number = 1; number <= submissions; number += 1) submit(song, number, received);
      if (chance(0.01)) report(song);
      return song;
    },

    /** Writes a rating with its listen, its log line and perhaps its mail, which is overdue or sent. */
    rating(song: Song, rater: Person, overdue: boolean) {
      const since = song.submissions === 1 ? song.createdAt : submittedAgain(song);
      const at = Math.floor(since + minute + random() * (song.activeAt - since - minute));
      const [id, listenId] = [randomUUID(), randomUUID()];
      const owesMail = overdue || chance(0.6);
      const score = 1 + Math.floor(random() * maxScore);
      const times = { started_at: at - minute, finished_at: at - 2000, closed_at: at };
      const evidence = song.fileId === null ? "spotify" : "delivery";
      const heard = { required_seconds: 55, evidence, delivered_ms: 60_000, ...times };
      insert("listens", { id: listenId, user_id: rater.id, song_id: song.id, ...heard });
      insert("ratings", {
        id,
        song_id: song.id,
        owner_id: song.owner.id,
        rater_id: rater.id,
        listen_id: listenId,
        score,
        owes_mail: owesMail ? 1 : 0,
        created_at: at,
        reasons: chance(0.3) ? likedVocals : null,
      });
      rater.rated += 1;
      log("rating", rater.id, at, { song_id: song.id, score });
      if (owesMail) mail("rating", song.owner.id, id, at, overdue);
    },

    /**
     * Writes a user, after all ratings and songs. Of the users of kind "whoever", every fourth is logged
     * in, and some have their own address, a preference or a subscription.
     */
    user({ id, rated, submitted, spent, passed }: Person, kind: "plain" | "whoever") {
      made += 1;
      const since = now - 29 * day;
      const own = kind === "whoever" && chance(0.05) ? `own-${made}@musicians.example` : null;
      insert("users", {
        id,
        spotify_id: trackId(),
        display_name: `Musician Number ${made}`,
        image_url: `https://i.scdn.co/image/${randomBytes(20).toString("hex")}`,
        email: `musician-${made}@musicians.example`,
        own_email: own,
        credits: rated - spent,
        rated_count: rated,
        submitted_count: submitted,
        passed_count: passed,
        created_at: since,
        updated_at: since,
      });
      if (own) {
        const times = { created_at: since, used_at: since + minute, expires_at: since + day };
        const asked = { kind: "confirmation", asked_by: id, address: own };
        insert("mailed_proofs", { id: randomUUID(), ...asked, ...times });
      }
      log("login", id, since);
      if (kind === "plain") return;
      if (chance(0.25)) openSession(id);
      if (chance(0.1)) {
        const wanted = {
          receive_rating_emails: chance(0.3) ? 1 : 0,
          receive_subscription_emails: 1,
        };
        insert("email_preferences", { user_id: id, ...wanted, updated_at: since });
      }
      if (chance(0.15)) subscribe(id, chance(0.5));
      if (chance(0.25)) {
        const times = { asked_at: since, looked_at: since + Math.floor(random() * day) };
        insert("song_wishes", { id: randomUUID(), user_id: id, ...times });
      }
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
        insert("package_songs", { package_id: id, song_id: song.id, position, favorited_at: null });
      });
    },
  };

  /** Writes a report, of which the operator knows. */
  function report({ id, createdAt }: Song) {
    const times = { created_at: createdAt, mailed_at: createdAt + 10 * minute };
    insert("reports", { id: randomUUID(), song_id: id, words: "This is not music.", ...times });
  }

  function openSession(userId: string) {
    const seen = now - Math.floor(random() * 5 * day);
    insert("sessions", {
      id: randomBytes(32).toString("base64url"),
      user_id: userId,
      way: "spotify",
      client_id: "sandbox-client-a",
      access_token: "a".repeat(tokenLengths.access),
      refresh_token: "r".repeat(tokenLengths.refresh),
      token_expires_at: seen + 60 * minute,
      created_at: seen - day,
      last_seen_at: seen,
      expires_at: seen + 7 * day,
      device: "Chrome on Windows",
    });
  }

  function subscribe(userId: string, live: boolean) {
    insert("subscriptions", {
      user_id: userId,
      status: live ? "active" : "canceled",
      tier: "premium",
      subscription_id: `sub_1${randomBytes(12).toString("hex").slice(0, 23)}`,
      customer_id: `cus_${randomBytes(7).toString("hex")}`,
      started_at: now - 29 * day,
      updated_at: now - 20 * day,
      synced_at: now - (live ? 1 : 20) * day - Math.floor(random() * 60 * minute),
    });
    insert("billing_events", {
      id: `evt_1${randomBytes(12).toString("hex")}`,
      created_at: now - day,
    });
  }
}

/** When a song with two submissions was submitted the second time. */
function submittedAgain({ createdAt, activeAt }: Song): number {
  return Math.floor((createdAt + activeAt) / 2);
}

type Row = Record<string, SQLInputValue>;
const noSong: Row = { song_id: null, score: null };

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

const base62 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** 22 characters, like Spotify's ids. */
function trackId(): string {
  let id = "";
  for (const byte of randomBytes(22)) id += base62[byte % 62];
  return id;
}
