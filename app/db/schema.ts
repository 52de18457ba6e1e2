import { sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  type SQLiteColumn,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { mailboxIn } from "./mailbox.ts";
import {
  aspectCount,
  cycleLength,
  grey,
  maxCodeTries,
  maxPassesPerPackage,
  maxScore,
  minListeningSeconds,
  minScore,
  mostReasons,
  playlistScore,
  proofsCountedBy,
  ratingsPerSubmission,
} from "./rules";

const id = () => text("id").primaryKey();

/** Epoch milliseconds. */
const time = (name: string) => integer(name);
const createdAt = () => time("created_at").notNull();

const flag = (name: string) => integer(name, { mode: "boolean" });

/** How its owner says that it was made (rule 48, made). */
const made = () =>
  text("made", { enum: ["people", "partly", "generated"] })
    .notNull()
    .default("people");

const ofUser = () =>
  text("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });
const ofSong = () =>
  text("song_id")
    .notNull()
    .references(() => songs.id, { onDelete: "cascade" });

/** A number of the rules, as it stands in a constraint: constraints take no parameters. */
const literal = (value: number) => sql.raw(String(value));

const countBits = (bits: SQLiteColumn) =>
  sql.join(
    Array.from({ length: 2 * aspectCount }, (_, place) => sql`(${bits} >> ${literal(place)} & 1)`),
    sql` + `,
  );

/** `credits` are ratings given and not spent yet. */
export const users = sqliteTable(
  "users",
  {
    id: id(),
    /** Spotify's `account_id` if it gives one, else `id`. Null for a member who came by e-mail alone. */
    spotifyId: text("spotify_id").unique(),
    displayName: text("display_name").notNull(),
    /** The name of the account at Spotify. */
    spotifyName: text("spotify_name"),
    /** The member has chosen the name, and Spotify's does not replace it. */
    ownName: flag("own_name").notNull().default(false),
    imageUrl: text("image_url"),
    email: text("email"),
    /** Given by the user and confirmed by a mailed link. Takes precedence. */
    ownEmail: text("own_email"),
    /** By which it is compared; mails go to the address. */
    ownMailbox: text("own_mailbox").generatedAlwaysAs(mailboxIn(sql.raw("own_email"))),
    /** A trigger clears it when the address changes; a page then computes it again. */
    addressFingerprint: text("address_fingerprint"),
    credits: integer("credits").notNull().default(0),
    ratedCount: integer("rated_count").notNull().default(0),
    /** The part of `ratedCount` whose songs were deleted with their owner's account. */
    ratedWithdrawn: integer("rated_withdrawn").notNull().default(0),
    passedCount: integer("passed_count").notNull().default(0),
    submittedCount: integer("submitted_count").notNull().default(0),
    /** The main artist of each song submitted: the name by Spotify's id. */
    ownArtists: text("own_artists", { mode: "json" })
      .$type<Record<string, string>>()
      .notNull()
      .default({}),
    visit: integer("visit").notNull().default(1),
    slide: integer("slide").notNull().default(1),
    lastActiveAt: time("last_active_at").notNull().default(0),
    /**
     * Until when the price counts Spotify's songs (rule 25, price): a login that hears them could last that long. Null since
     * Spotify has said that the account there has no Premium.
     */
    hearsSpotifyUntil: time("hears_spotify_until"),
    /** When the owner last opened "Ratings of my songs". */
    ratingsSeenAt: time("ratings_seen_at"),
    /** The last look before the current visit. Ratings since then are marked as new. */
    ratingsNewsSince: time("ratings_news_since"),
    playlistLeaseUntil: time("playlist_lease_until").notNull().default(0),
    createdAt: createdAt(),
    updatedAt: time("updated_at").notNull(),
  },
  (table) => [
    index("users_email").on(sql`lower(${table.email})`).where(sql`email IS NOT NULL`),
    index("users_name").on(sql`lower(${table.displayName})`),
    index("users_own_mailbox").on(table.ownMailbox).where(sql`own_email IS NOT NULL`),
    index("users_own_email").on(sql`lower(${table.ownEmail})`).where(sql`own_email IS NOT NULL`),
    check("users_visit", sql`${table.visit} BETWEEN 1 AND ${literal(cycleLength)}`),
    check("users_slide", sql`${table.slide} BETWEEN 1 AND ${literal(cycleLength)}`),
    check("users_credits", sql`${table.credits} >= 0 AND ${table.credits} <= ${table.ratedCount}`),
    check("users_submitted_count", sql`${table.submittedCount} >= 0`),
    check("users_way_in", sql`${table.spotifyId} IS NOT NULL OR ${table.ownEmail} IS NOT NULL`),
  ],
);

/** `id` is a hash of the cookie's value, so that reading the table gives access to nothing. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: id(),
    userId: ofUser(),
    /** How the user came in. */
    way: text("way", { enum: ["spotify", "email"] }).notNull(),
    /** These four are null where the session has no connection to Spotify. */
    clientId: text("client_id"),
    /** Encrypted (AES-GCM). */
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    tokenExpiresAt: time("token_expires_at"),
    refreshLeaseUntil: time("refresh_lease_until").notNull().default(0),
    createdAt: createdAt(),
    lastSeenAt: time("last_seen_at").notNull(),
    expiresAt: time("expires_at").notNull(),
    device: text("device"),
    /** As Spotify, or a song heard since, has shown. Null if unknown. */
    hasSpotifyPremium: flag("has_spotify_premium"),
    /** As Spotify said when it gave the tokens. */
    mayAddToPlaylists: flag("may_add_to_playlists").notNull().default(false),
    /** Spotify has ended the connection. A session that came by Spotify has ended with it. */
    endedBySpotify: flag("ended_by_spotify").notNull().default(false),
  },
  (table) => [
    index("sessions_user").on(table.userId),
    index("sessions_expiry").on(table.expiresAt),
    index("sessions_hearing")
      .on(table.expiresAt)
      .where(sql`access_token IS NOT NULL AND has_spotify_premium IS NOT 0`),
    check("sessions_way", sql`${table.way} IN ('spotify', 'email')`),
    check(
      "sessions_connection",
      sql`(${table.accessToken} IS NULL) = (${table.clientId} IS NULL) AND (${table.accessToken} IS NULL) = (${table.refreshToken} IS NULL) AND (${table.accessToken} IS NULL) = (${table.tokenExpiresAt} IS NULL)`,
    ),
  ],
);

/**
 * Own recordings: a file that a member has uploaded. The row comes before the file. Whatever deletes the row or ends
 * its file tells the job to delete that (triggers `recordings_leave_files`, `recordings_end_files`).
 */
export const recordings = sqliteTable(
  "recordings",
  {
    id: id(),
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    state: text("state", { enum: ["arriving", "draft", "submitted"] }).notNull(),
    /** Of the file's bytes (SHA-256). Null while they arrive, and so are the next five. */
    hash: text("hash"),
    /** What the cover is drawn from: an HMAC of the hash, because pages for strangers name it. */
    drawnFrom: text("drawn_from"),
    type: text("type", { enum: ["mp3", "m4a", "flac", "wav"] }),
    bytes: integer("bytes"),
    durationMs: integer("duration_ms"),
    /** Place of the first byte of sound. */
    audioStart: integer("audio_start"),
    /** Where the sound ends, if something is behind it. */
    audioEnd: integer("audio_end"),
    title: text("title").notNull(),
    artist: text("artist").notNull(),
    /** Null until its owner has said it, and that others may hear it. */
    made: text("made", { enum: ["people", "partly", "generated"] }),
    /** These two are null for a cover that is drawn. */
    coverType: text("cover_type", { enum: ["jpeg", "png", "webp"] }),
    coverBytes: integer("cover_bytes"),
    /** The song that it was uploaded for as a new mix. */
    mixOf: text("mix_of"),
    /** In tenths of LUFS, as its owner's browser measured it; null where it did not. */
    loudness: integer("loudness"),
    /** What a submission cost when the upload began. Holds for a draft (rule 25, price). */
    agreedCost: integer("agreed_cost"),
    /** What its owner has heard of it; "silent" where their browser made nothing of it. */
    hearing: text("hearing", { enum: ["heard", "silent"] }),
    createdAt: createdAt(),
    /** When the file was given up; the results stay. */
    fileEndedAt: time("file_ended_at"),
  },
  (table) => [
    unique("recordings_id_owner").on(table.id, table.ownerId),
    index("recordings_owner").on(table.ownerId, table.createdAt),
    index("recordings_owner_hash").on(table.ownerId, table.hash),
    uniqueIndex("recordings_draft")
      .on(table.ownerId, table.hash)
      .where(sql`state = 'draft' AND file_ended_at IS NULL`),
    // How full the bucket is.
    index("recordings_files")
      .on(table.bytes, table.coverBytes, table.fileEndedAt)
      .where(sql`file_ended_at IS NULL`),
    index("recordings_unsubmitted").on(table.createdAt).where(sql`state <> 'submitted'`),
    check("recordings_state", sql`${table.state} IN ('arriving', 'draft', 'submitted')`),
    check("recordings_type", sql`${table.type} IN ('mp3', 'm4a', 'flac', 'wav')`),
    check("recordings_made", sql`${table.made} IN ('people', 'partly', 'generated')`),
    check("recordings_hearing", sql`${table.hearing} IN ('heard', 'silent')`),
    check(
      "recordings_heard",
      sql`${table.state} <> 'submitted' OR ${table.hearing} IS 'heard' AND ${table.made} IS NOT NULL`,
    ),
    check("recordings_cover_type", sql`${table.coverType} IN ('jpeg', 'png', 'webp')`),
    check(
      "recordings_read",
      sql`${table.state} = 'arriving' OR ${table.hash} IS NOT NULL AND ${table.drawnFrom} IS NOT NULL AND ${table.type} IS NOT NULL AND ${table.bytes} > 0 AND ${table.durationMs} > 0 AND ${table.audioStart} IS NOT NULL AND ${table.audioStart} BETWEEN 0 AND ${table.bytes} AND ${table.title} <> ''`,
    ),
    check("recordings_loudness", sql`${table.loudness} BETWEEN -700 AND 100`),
    check("recordings_cover", sql`(${table.coverType} IS NULL) = (${table.coverBytes} IS NULL)`),
  ],
);

/** Files that a job deletes until they are gone. */
export const fileDeletions = sqliteTable(
  "file_deletions",
  { key: text("key").primaryKey(), createdAt: createdAt() },
  (table) => [index("file_deletions_time").on(table.createdAt)],
);

/**
 * One row per owner and recording: a track of Spotify's, or an own recording, which has neither track nor link.
 * Three triggers (`songs_know_recording`, `songs_share_recording`, `songs_keep_recording`) keep code and
 * recording the same for all songs of a track.
 * Of each owner, the two songs with the oldest promises stand in line (`lineSince`). Two triggers,
 * `songs_join_line` and `songs_keep_line`, see to that (and `songs_leave_line`). A song that joins stands behind all others.
 */
export const songs = sqliteTable(
  "songs",
  {
    id: id(),
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    trackId: text("track_id"),
    /** The file that is heard now: the latest mix. */
    ownRecordingId: text("own_recording_id"),
    title: text("title").notNull(),
    artists: text("artists", { mode: "json" }).$type<string[]>().notNull(),
    artistIds: text("artist_ids", { mode: "json" })
      .$type<(string | null)[]>()
      .notNull()
      .default([]),
    album: text("album").notNull(),
    artUrl: text("art_url"),
    smallerArt: text("smaller_art", { mode: "json" })
      .$type<Record<number, string>>()
      .notNull()
      .default({}),
    /** The colour of the cover that is shown (app/covers/tint.ts). Null until it is read; a trigger forgets it. */
    tint: integer("tint"),
    durationMs: integer("duration_ms").notNull(),
    isrc: text("isrc"),
    /**
     * Its code, or its track where Spotify gives none, or the hash of its file; the same for listeners (rule 6, offered songs).
     * Triggers fill it in.
     */
    recording: text("recording"),
    explicit: flag("explicit").notNull().default(false),
    made: made(),
    /** Three listeners have said that it sounds generated, and the operator has not decided since. */
    soundsGeneratedSince: time("sounds_generated_since"),
    spotifyUrl: text("spotify_url"),
    /** Last metadata refresh. A listen that finds no change does not update it. */
    fetchedAt: time("fetched_at").notNull(),
    entitled: integer("entitled").notNull(),
    received: integer("received").notNull().default(0),
    /** Stored, because surplus ratings do not count towards later submissions. */
    owed: integer("owed").notNull(),
    owedSince: time("owed_since"),
    /** Decides its place in the line. Null while it is not in line. */
    lineSince: time("line_since"),
    restingSince: time("resting_since"),
    /** Its owner made it rest; otherwise it does not play, or the operator has taken it out. */
    withdrawn: flag("withdrawn").notNull().default(false),
    takenOut: text("taken_out"),
    decidedAt: time("decided_at"),
    /** Its owner wants one mail once there are listeners for a new mix: when they asked, or that was last looked at. */
    mixAskedAt: time("mix_asked_at"),
    createdAt: createdAt(),
    /** The minute in which it was last submitted or rated. Owners may know no closer time. */
    activeAt: time("active_at").notNull().default(0),
    /** The minute of the first rating that its owner has not seen yet. Null if there is none. */
    newsSince: time("news_since"),
    /**
     * Of the ratings for the promise under way, how many came from each place (app/exchange/pool/place.ts), so that few
     * come from one (rule 45, places). It names no rater, and is empty again with the promise's last rating.
     */
    ratedFrom: text("rated_from", { mode: "json" })
      .$type<Record<string, number>>()
      .notNull()
      .default({}),
  },
  (table) => [
    unique("songs_owner_track").on(table.ownerId, table.trackId),
    unique("songs_id_owner").on(table.id, table.ownerId),
    unique("songs_own_recording").on(table.ownRecordingId, table.ownerId),
    foreignKey({
      name: "songs_recording_owner",
      columns: [table.ownRecordingId, table.ownerId],
      foreignColumns: [recordings.id, recordings.ownerId],
    }),
    index("songs_by_reading").on(table.fetchedAt).where(sql`track_id IS NOT NULL`),
    index("songs_without_tint").on(table.createdAt).where(sql`tint IS NULL`),
    index("songs_by_track").on(table.trackId),
    // By which a notice finds the song that it names.
    index("songs_by_title").on(sql`title COLLATE NOCASE`),
    index("songs_owner_recording").on(table.ownerId, table.recording),
    index("songs_by_recording").on(table.recording, table.owedSince),
    index("songs_by_activity").on(table.ownerId, table.activeAt, table.id),
    index("songs_mix_asked").on(table.mixAskedAt).where(sql`mix_asked_at IS NOT NULL`),
    index("songs_with_news").on(table.ownerId).where(sql`news_since IS NOT NULL`),
    index("songs_in_line").on(table.lineSince, table.id).where(sql`line_since IS NOT NULL`),
    index("songs_behind_line")
      .on(table.owedSince, table.id)
      .where(sql`owed_since IS NOT NULL AND line_since IS NULL AND resting_since IS NULL`),
    // The same two for listeners who can hear own recordings alone.
    index("songs_own_in_line")
      .on(table.lineSince, table.id)
      .where(sql`line_since IS NOT NULL AND track_id IS NULL`),
    index("songs_own_behind_line")
      .on(table.owedSince, table.id)
      .where(
        sql`owed_since IS NOT NULL AND line_since IS NULL AND resting_since IS NULL AND track_id IS NULL`,
      ),
    index("songs_owed_by_owner")
      .on(table.ownerId, table.owedSince, table.id)
      .where(sql`owed_since IS NOT NULL AND resting_since IS NULL`),
    check(
      "songs_kind",
      sql`(${table.trackId} IS NULL) = (${table.ownRecordingId} IS NOT NULL) AND (${table.trackId} IS NULL) = (${table.spotifyUrl} IS NULL) AND (${table.trackId} IS NOT NULL OR ${table.isrc} IS NULL)`,
    ),
    check(
      "songs_entitled",
      sql`${table.entitled} >= 0 AND ${table.entitled} % ${literal(ratingsPerSubmission)} = 0`,
    ),
    check("songs_made", sql`${table.made} IN ('people', 'partly', 'generated')`),
    check("songs_tint", sql`${table.tint} BETWEEN 0 AND ${literal(grey)}`),
    check("songs_received", sql`${table.received} >= 0`),
    check(
      "songs_news",
      sql`${table.newsSince} IS NULL OR ${table.newsSince} % 60000 = 0 AND ${table.received} > 0`,
    ),
    check(
      "songs_owed",
      sql`${table.owed} BETWEEN max(0, ${table.entitled} - ${table.received}) AND ${table.entitled}`,
    ),
    // What the operator has not looked at yet (app/operator/), and what they have taken out.
    index("songs_unplayable")
      .on(table.restingSince)
      .where(
        sql`resting_since IS NOT NULL AND withdrawn = 0 AND taken_out IS NULL AND (decided_at IS NULL OR decided_at < resting_since)`,
      ),
    index("songs_sounding_generated")
      .on(table.soundsGeneratedSince)
      .where(sql`sounds_generated_since IS NOT NULL`),
    index("songs_out").on(table.decidedAt).where(sql`taken_out IS NOT NULL`),
    check("songs_due_while_owed", sql`(${table.owedSince} IS NOT NULL) = (${table.owed} > 0)`),
    check(
      "songs_taken_out",
      sql`${table.takenOut} IS NULL OR ${table.owed} = 0 OR ${table.restingSince} IS NOT NULL`,
    ),
  ],
);

/** `token` ends the page's address, and is not hashed because the owner reads it again. */
export const shares = sqliteTable("shares", {
  songId: ofSong().primaryKey(),
  token: text("token").notNull().unique(),
  snapshot: text("snapshot", { mode: "json" })
    .$type<{ received: number; uploads: { number: number; counts: number[] }[] }>()
    .notNull(),
  /** What a link to it shows, as base64 of a PNG. */
  picture: text("picture"),
  publishedAt: time("published_at").notNull(),
});

export const spotifyWaits = sqliteTable("spotify_waits", {
  clientId: text("client_id").primaryKey(),
  until: time("until").notNull(),
});

export const submissions = sqliteTable(
  "submissions",
  {
    id: id(),
    songId: ofSong(),
    ownerId: text("owner_id").notNull(),
    /** The mix that its ratings are of. */
    ownRecordingId: text("own_recording_id"),
    number: integer("number").notNull(),
    allotment: integer("allotment").notNull().default(ratingsPerSubmission),
    spent: integer("spent").notNull(),
    /** Made while the pool was nearly or wholly empty. */
    limited: flag("limited").notNull(),
    /** Made while few were here: its ratings open once all are in (rule 46, small circles). */
    sealed: flag("sealed").notNull().default(false),
    /** The key of the form, so that a second press does nothing. */
    requestKey: text("request_key").notNull(),
    createdAt: createdAt(),
    /** When its last promised rating came in (trigger `songs_keep_promises`). */
    completedAt: time("completed_at"),
  },
  (table) => [
    unique("submissions_number").on(table.songId, table.number),
    index("submissions_own_recording")
      .on(table.ownRecordingId)
      .where(sql`own_recording_id IS NOT NULL`),
    foreignKey({
      name: "submissions_recording_owner",
      columns: [table.ownRecordingId, table.ownerId],
      foreignColumns: [recordings.id, recordings.ownerId],
    }),
    unique("submissions_request").on(table.ownerId, table.requestKey),
    index("submissions_free").on(table.ownerId, table.createdAt).where(sql`spent = 0`),
    index("submissions_owner").on(table.ownerId, table.createdAt),
    index("submissions_completed").on(table.completedAt).where(sql`completed_at IS NOT NULL`),
    check("submissions_allotment", sql`${table.allotment} = ${literal(ratingsPerSubmission)}`),
    check("submissions_spent", sql`${table.spent} >= 0`),
  ],
);

/**
 * Members who rate each other's songs among themselves (rule 47, rounds). It gathers until it has begun or ended, and
 * after it has begun its members listen until it opens.
 */
export const rounds = sqliteTable(
  "rounds",
  {
    id: id(),
    hostId: text("host_id").references(() => users.id, { onDelete: "set null" }),
    name: text("name").notNull(),
    /** Ends the address of its page, and is not hashed because its members read it again. */
    token: text("token").notNull().unique(),
    seats: integer("seats").notNull(),
    gatherUntil: time("gather_until").notNull(),
    listenMs: integer("listen_ms").notNull(),
    createdAt: createdAt(),
    begunAt: time("begun_at"),
    endsAt: time("ends_at"),
    /** It had too few members, or its host wanted no more of it. */
    endedAt: time("ended_at"),
    /** Since then its members see their marks. */
    openedAt: time("opened_at"),
    remindedAt: time("reminded_at"),
  },
  (table) => [
    index("rounds_host").on(table.hostId, table.createdAt),
    index("rounds_gathering")
      .on(table.gatherUntil)
      .where(sql`begun_at IS NULL AND ended_at IS NULL`),
    index("rounds_listening")
      .on(table.endsAt)
      .where(sql`begun_at IS NOT NULL AND opened_at IS NULL`),
    index("rounds_opened").on(table.openedAt).where(sql`opened_at IS NOT NULL`),
    index("rounds_ended").on(table.endedAt).where(sql`ended_at IS NOT NULL`),
    check("rounds_seats", sql`${table.seats} BETWEEN 6 AND 50`),
    check(
      "rounds_state",
      sql`(${table.begunAt} IS NULL) = (${table.endsAt} IS NULL) AND (${table.begunAt} IS NULL OR ${table.endedAt} IS NULL) AND (${table.openedAt} IS NULL OR ${table.begunAt} IS NOT NULL)`,
    ),
  ],
);

/** Who has a seat has handed in a song; without one they are about to (triggers `round_members_*`). */
export const roundMembers = sqliteTable(
  "round_members",
  {
    roundId: text("round_id")
      .notNull()
      .references(() => rounds.id, { onDelete: "cascade" }),
    userId: ofUser(),
    songId: text("song_id"),
    joinedAt: time("joined_at").notNull(),
    /** They have given the ratings that were theirs to give. */
    listenedAt: time("listened_at"),
    /** They have opened their own marks, and then shown them to the round. */
    openedAt: time("opened_at"),
    shownAt: time("shown_at"),
  },
  (table) => [
    primaryKey({ columns: [table.roundId, table.userId] }),
    foreignKey({
      name: "round_members_song_owner",
      columns: [table.songId, table.userId],
      foreignColumns: [songs.id, songs.ownerId],
    }).onDelete("cascade"),
    index("round_members_user").on(table.userId),
    index("round_members_song").on(table.songId).where(sql`song_id IS NOT NULL`),
    check("round_members_shown", sql`${table.shownAt} IS NULL OR ${table.openedAt} IS NOT NULL`),
  ],
);

/** The songs drawn for a user. A package stays until all of them are rated. */
export const packages = sqliteTable(
  "packages",
  {
    id: id(),
    userId: ofUser(),
    number: integer("number").notNull(),
    drawnAt: time("drawn_at").notNull(),
  },
  // If two are drawn at once, the second violates this and does nothing.
  (table) => [unique("packages_number").on(table.userId, table.number)],
);

export const packageSongs = sqliteTable(
  "package_songs",
  {
    packageId: text("package_id")
      .notNull()
      .references(() => packages.id, { onDelete: "cascade" }),
    songId: ofSong(),
    position: integer("position").notNull(),
    favoritedAt: time("favorited_at"),
  },
  (table) => [
    primaryKey({ columns: [table.packageId, table.songId] }),
    index("package_songs_song").on(table.songId),
  ],
);

/** If a row is deleted, the next search begins at the start (pool-window.ts). */
export const poolWindows = sqliteTable(
  "pool_windows",
  {
    userId: ofUser(),
    /** Whether it is among all songs, or among own recordings alone: what one cannot hear is not passed. */
    hearsSpotify: flag("hears_spotify").notNull(),
    /** Of the songs in line since before then, the viewer can rate only those in `waiting`. */
    seenTo: time("seen_to").notNull(),
    waiting: text("waiting", { mode: "json" }).$type<string[]>().notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.hearsSpotify] }),
    index("pool_windows_time").on(table.updatedAt),
    // For songs_keep_line, which asks for the end of the furthest window.
    index("pool_windows_end").on(table.seenTo),
  ],
);

/**
 * A listen cannot finish before the time that remained at its last spot check has passed, nor while another
 * check is due, nor one of an own recording before that much was delivered (trigger `listens_heard`).
 */
export const listens = sqliteTable(
  "listens",
  {
    id: id(),
    userId: ofUser(),
    songId: ofSong(),
    requiredSeconds: integer("required_seconds").notNull(),
    startedAt: time("started_at").notNull(),
    finishedAt: time("finished_at"),
    /** Spotify's playback state and the clock, the clock alone, or how much of the file was delivered. */
    evidence: text("evidence", { enum: ["spotify", "clock", "delivery"] }),
    /** When Spotify last contradicted it: the song was paused, another one played, or none. */
    doubtedAt: time("doubted_at"),
    /** When a rating or a newer listen closed it. Each user has one open listen. */
    closedAt: time("closed_at"),
    observedAt: time("observed_at"),
    heardMs: integer("heard_ms").notNull().default(0),
    positionMs: integer("position_ms").notNull().default(0),
    recheckAt: time("recheck_at"),
    /** Of an own recording: how far the file was delivered without a gap, in playing time. */
    deliveredMs: integer("delivered_ms").notNull().default(0),
  },
  (table) => [
    uniqueIndex("listens_open").on(table.userId).where(sql`closed_at IS NULL`),
    index("listens_user_song").on(table.userId, table.songId, table.startedAt),
    index("listens_song").on(table.songId),
    index("listens_started").on(table.startedAt),
    check("listens_required", sql`${table.requiredSeconds} >= ${literal(minListeningSeconds)}`),
    check(
      "listens_finished",
      sql`(${table.finishedAt} IS NULL) = (${table.evidence} IS NULL) AND (${table.finishedAt} IS NULL OR ${table.finishedAt} >= ${table.startedAt} + (${table.requiredSeconds} + 1) * 1000)`,
    ),
  ],
);

/**
 * Spotify's refusals to play a song to a listener. An answered one no longer counts, and stays so that the
 * same listener does not count again.
 */
export const unplayableReports = sqliteTable(
  "unplayable_reports",
  {
    songId: ofSong(),
    userId: ofUser(),
    createdAt: createdAt(),
    answeredAt: time("answered_at"),
  },
  (table) => [
    primaryKey({ columns: [table.songId, table.userId] }),
    index("unplayable_reports_user").on(table.userId),
    index("unplayable_reports_time").on(table.createdAt),
  ],
);

/**
 * The slots hold the limit of a package, `passes_within_a_day` that of 24 hours (rule 22, passes). `passes_unrated`
 * and `ratings_open_recording` keep passes and ratings of one recording apart.
 */
export const passes = sqliteTable(
  "passes",
  {
    id: id(),
    userId: ofUser(),
    songId: ofSong(),
    packageId: text("package_id").notNull(),
    /** Its number among the package's passes. Null for a report beyond them, which drew no other song. */
    slot: integer("slot"),
    reason: text("reason", {
      enum: ["unplayable", "known", "taste", "generated", "report"],
    }).notNull(),
    createdAt: createdAt(),
    /** Filled in by a trigger. */
    recording: text("recording"),
  },
  (table) => [
    unique("passes_user_song").on(table.userId, table.songId),
    unique("passes_slot").on(table.packageId, table.slot),
    index("passes_user").on(table.userId, table.createdAt),
    index("passes_user_recording").on(table.userId, table.recording),
    index("passes_song").on(table.songId),
    index("passes_time").on(table.createdAt),
    check("passes_slots", sql`${table.slot} BETWEEN 1 AND ${literal(maxPassesPerPackage)}`),
    check("passes_beyond", sql`${table.slot} IS NOT NULL OR ${table.reason} = 'report'`),
    check(
      "passes_reason",
      sql`${table.reason} IN ('unplayable', 'known', 'taste', 'generated', 'report')`,
    ),
  ],
);

export const reports = sqliteTable(
  "reports",
  {
    id: id(),
    songId: ofSong(),
    reporterId: text("reporter_id").references(() => users.id, { onDelete: "set null" }),
    words: text("words").notNull(),
    createdAt: createdAt(),
    closedAt: time("closed_at"),
    mailedAt: time("mailed_at"),
  },
  (table) => [
    index("reports_song").on(table.songId),
    index("reports_reporter").on(table.reporterId, table.createdAt),
    index("reports_time").on(table.createdAt),
    index("reports_unmailed").on(table.createdAt).where(sql`mailed_at IS NULL`),
    index("reports_open").on(table.createdAt).where(sql`closed_at IS NULL`),
    check("reports_closed", sql`${table.closedAt} IS NULL OR ${table.reporterId} IS NULL`),
  ],
);

/** What somebody, who need not be a member, says is wrong here (rule 49, notices). */
export const notices = sqliteTable(
  "notices",
  {
    id: id(),
    /** An address, or title and artist, in their words. */
    location: text("location").notNull(),
    /** The song that it names, if it is one of ours. */
    songId: text("song_id").references(() => songs.id, { onDelete: "set null" }),
    words: text("words").notNull(),
    /** May be empty. */
    name: text("name").notNull(),
    address: text("address").notNull(),
    mailbox: text("mailbox").generatedAlwaysAs(mailboxIn(sql.raw("address"))),
    createdAt: createdAt(),
    mailedAt: time("mailed_at"),
    decidedAt: time("decided_at"),
    /** The operator's log line. */
    decisionId: text("decision_id"),
  },
  (table) => [
    index("notices_song").on(table.songId),
    index("notices_mailbox").on(table.mailbox, table.createdAt),
    index("notices_unmailed").on(table.createdAt).where(sql`mailed_at IS NULL`),
    index("notices_open").on(table.createdAt).where(sql`decided_at IS NULL`),
    index("notices_decided").on(table.decidedAt).where(sql`decided_at IS NOT NULL`),
    uniqueIndex("notices_once").on(table.mailbox, table.location).where(sql`decided_at IS NULL`),
    check("notices_decision", sql`(${table.decidedAt} IS NULL) = (${table.decisionId} IS NULL)`),
  ],
);

/**
 * Triggers reject a score without the rater's finished listen (`ratings_after_listen`), and one of a
 * recording that the rater has submitted (`ratings_open_recording`). It outlives rater and listen.
 */
export const ratings = sqliteTable(
  "ratings",
  {
    id: id(),
    songId: text("song_id").notNull(),
    ownerId: text("owner_id").notNull(),
    raterId: text("rater_id").references(() => users.id, { onDelete: "set null" }),
    listenId: text("listen_id")
      .unique()
      .references(() => listens.id, { onDelete: "set null" }),
    score: integer("score").notNull(),
    reasons: integer("reasons"),
    /** The rater has the track in a playlist, as far as Fivefold has seen. Kept without a time. */
    inPlaylist: flag("in_playlist").notNull().default(false),
    /** The rater had asked within a day to be told when it is out. Kept without a time. */
    wantsRelease: flag("wants_release").notNull().default(false),
    /** It was given in a round, and is no rating of the exchange (rule 47, rounds). */
    roundId: text("round_id").references(() => rounds.id, { onDelete: "set null" }),
    /**
     * Its owner sees it once all five of its promise are in (rule 46, small circles; trigger `songs_keep_promises`). What
     * is given in a round stays sealed, and its round tells it.
     */
    sealed: flag("sealed").notNull().default(false),
    /** Its rater has rated it once. Filled in by a trigger. */
    recording: text("recording"),
    /** The owner wanted a mail at the time. False again once the outbox row is deleted. */
    owesMail: flag("owes_mail").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    unique("ratings_rater_song").on(table.raterId, table.songId),
    unique("ratings_rater_recording").on(table.raterId, table.recording),
    foreignKey({
      name: "ratings_song_owner",
      columns: [table.songId, table.ownerId],
      foreignColumns: [songs.id, songs.ownerId],
    }).onDelete("cascade"),
    index("ratings_song").on(table.songId, table.createdAt),
    index("ratings_given").on(table.raterId, table.createdAt, table.songId),
    index("ratings_time").on(table.createdAt),
    index("ratings_sealed").on(table.songId).where(sql`sealed = 1`),
    index("ratings_round").on(table.roundId, table.songId).where(sql`round_id IS NOT NULL`),
    check(
      "ratings_score",
      sql`${table.score} BETWEEN ${literal(minScore)} AND ${literal(maxScore)}`,
    ),
    check("ratings_not_own", sql`${table.raterId} <> ${table.ownerId}`),
    check(
      "ratings_reasons",
      sql`${table.reasons} BETWEEN 1 AND ${literal(4 ** aspectCount - 1)} AND (${table.reasons} & (${table.reasons} >> ${literal(aspectCount)})) = 0 AND ${countBits(table.reasons)} <= ${literal(mostReasons)}`,
    ),
    check(
      "ratings_in_playlist",
      sql`${table.inPlaylist} = 0 OR ${table.inPlaylist} = 1 AND ${table.score} = ${literal(playlistScore)}`,
    ),
    check(
      "ratings_wants_release",
      sql`${table.wantsRelease} = 0 OR ${table.wantsRelease} = 1 AND ${table.score} = ${literal(playlistScore)}`,
    ),
  ],
);

/** Where an own recording is out, as its owner says. */
export const releases = sqliteTable(
  "releases",
  {
    songId: ofSong().primaryKey(),
    url: text("url").notNull(),
    /** From then on those who wished for it are mailed. */
    mailsAt: time("mails_at").notNull(),
    /** All of them have been. */
    mailed: flag("mailed").notNull().default(false),
  },
  (table) => [
    index("releases_due").on(table.mailsAt).where(sql`mailed = 0`),
    check("releases_url", sql`${table.url} GLOB 'https://?*'`),
  ],
);

/**
 * Who wants one mail once an own recording is out; only with a rating "Added to my playlist!" (triggers
 * `release_wishes_of_raters`, `ratings_end_wishes`). The batch that owes the mail deletes the row.
 */
export const releaseWishes = sqliteTable(
  "release_wishes",
  {
    userId: ofUser(),
    songId: ofSong(),
    askedAt: time("asked_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.songId] }),
    index("release_wishes_song").on(table.songId, table.askedAt),
    index("release_wishes_asked").on(table.askedAt),
  ],
);

/** Rated songs in a playlist of the rater's, put there by the product or found there. */
export const playlistAdds = sqliteTable(
  "playlist_adds",
  {
    userId: ofUser(),
    songId: ofSong(),
    playlistId: text("playlist_id").notNull(),
    playlistName: text("playlist_name").notNull(),
    addedAt: time("added_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.songId, table.playlistId] }),
    index("playlist_adds_song").on(table.songId),
    index("playlist_adds_time").on(table.addedAt),
  ],
);

/** Only the sync writes status and tier; a checkout that begins writes customer and checkout. */
export const subscriptions = sqliteTable(
  "subscriptions",
  {
    userId: ofUser().primaryKey(),
    status: text("status").notNull(),
    tier: text("tier", { enum: ["free", "premium"] }).notNull(),
    subscriptionId: text("subscription_id"),
    customerId: text("customer_id"),
    checkoutId: text("checkout_id"),
    checkoutNumber: integer("checkout_number").notNull().default(0),
    returnTo: text("return_to"),
    startedAt: time("started_at"),
    renewsAt: time("renews_at"),
    price: text("price"),
    cancelAt: time("cancel_at"),
    /** The first failure of the latest payment, and its next attempt without the user. */
    failedAt: time("failed_at"),
    retryAt: time("retry_at"),
    endedAt: time("ended_at"),
    /**
     * By this address alone the customer was found to be the user's (rule 4, whose premium). A trigger ends the record when
     * the user gives it up or another user confirms it.
     */
    matchedAddress: text("matched_address"),
    updatedAt: time("updated_at").notNull(),
    /** When the payment provider was asked. An older answer does not replace a newer one. */
    syncedAt: time("synced_at").notNull().default(0),
  },
  (table) => [
    uniqueIndex("subscriptions_customer").on(table.customerId),
    index("subscriptions_matched").on(table.matchedAddress).where(sql`matched_address IS NOT NULL`),
    // Subscriptions that may change without a checkout. The daily sweep has the same condition.
    index("subscriptions_swept")
      .on(table.syncedAt)
      .where(
        sql`customer_id IS NOT NULL AND status NOT IN ('none', 'canceled', 'incomplete_expired')`,
      ),
    index("subscriptions_updated").on(table.updatedAt),
  ],
);

export const billingEvents = sqliteTable(
  "billing_events",
  { id: id(), createdAt: createdAt() },
  (table) => [index("billing_events_time").on(table.createdAt)],
);

/** A missing row means all mails (rule 32, rating mails). */
export const emailPreferences = sqliteTable("email_preferences", {
  userId: ofUser().primaryKey(),
  receiveRatingEmails: flag("receive_rating_emails").notNull().default(true),
  ratingMailRhythm: text("rating_mail_rhythm", { enum: ["each", "complete"] })
    .notNull()
    .default("each"),
  receiveSubscriptionEmails: flag("receive_subscription_emails").notNull().default(true),
  updatedAt: time("updated_at").notNull(),
});

/**
 * What is mailed to an address, so that its reader proves to be one: a code and a link to log in by, or a link that
 * confirms the address. Those of the last day, and the confirmed ones in use. The six digits are derived from `id`
 * (mailed-proof.server.ts) and stored nowhere. No row refers to a user, so that deleting the account resets no count.
 */
export const mailedProofs = sqliteTable(
  "mailed_proofs",
  {
    id: id(),
    /** A known login is asked for in a browser that has logged in by this mailbox before. */
    kind: text("kind", { enum: ["login", "known login", "confirmation"] }).notNull(),
    /** Of logins, as they come. */
    number: integer("number"),
    /** Empty once the account that asked for a confirmation is deleted. */
    address: text("address").notNull(),
    /** By whom it is counted, and replaced: the browser, as a keyed fingerprint; of a confirmation the user. */
    askedBy: text("asked_by").notNull(),
    /** Keyed fingerprints, by which mails are counted: of the mailbox, as in `mail_suppressions`, … */
    fingerprint: text("fingerprint"),
    /** … of the place that asks (an IPv4 address, or an IPv6 /64), and of the /56 and /48 around it, … */
    asker: text("asker"),
    asker56: text("asker_56"),
    asker48: text("asker_48"),
    /** … and of the ways in that the user who asks for a confirmation has. */
    spotifyWay: text("spotify_way"),
    mailboxWay: text("mailbox_way"),
    /** The only user whom a code lets in: a member who was asked to log in again. */
    again: text("again"),
    next: text("next").notNull().default("/"),
    createdAt: createdAt(),
    expiresAt: time("expires_at").notNull(),
    /** The address was confirmed by it, and is in use. */
    usedAt: time("used_at"),
    wrongTries: integer("wrong_tries").notNull().default(0),
    /** An account was made by it (rule 45, places). */
    madeAccount: flag("made_account").notNull().default(false),
  },
  (table) => [
    index("mailed_proofs_number").on(table.number),
    ...proofsCountedBy.map((one) =>
      index(`mailed_proofs_${table[one].name}`).on(table[one], table.createdAt),
    ),
    index("mailed_proofs_confirmed")
      .on(sql`lower(${table.address})`)
      .where(sql`kind = 'confirmation'`),
    index("mailed_proofs_unused").on(table.createdAt).where(sql`used_at IS NULL`),
    index("mailed_proofs_used_by_place")
      .on(table.createdAt)
      .where(sql`used_at IS NOT NULL AND asker IS NOT NULL`),
    check("mailed_proofs_kind", sql`${table.kind} IN ('login', 'known login', 'confirmation')`),
    check(
      "mailed_proofs_used",
      sql`${table.usedAt} IS NULL OR ${table.usedAt} < ${table.expiresAt}`,
    ),
    check("mailed_proofs_tries", sql`${table.wrongTries} BETWEEN 0 AND ${literal(maxCodeTries)}`),
  ],
);

/** The two uses of a code, each once: typed where it was asked for, and by its link, in whatever browser. */
export const loginGrants = sqliteTable(
  "login_grants",
  {
    codeId: text("code_id")
      .notNull()
      .references(() => mailedProofs.id, { onDelete: "cascade" }),
    by: text("by", { enum: ["code", "link"] }).notNull(),
    verifiedAt: time("verified_at").notNull(),
    /** A hash of what the verifying browser alone has. */
    ticket: text("ticket").notNull().unique(),
    /** The session that it has opened. */
    sessionId: text("session_id"),
  },
  (table) => [
    primaryKey({ columns: [table.codeId, table.by] }),
    check("login_grants_by", sql`${table.by} IN ('code', 'link')`),
  ],
);

/** Subscriptions that somebody has cancelled, or withdrawn from, by the public pages (rule 50, cancelling). */
export const declarations = sqliteTable(
  "declarations",
  {
    id: id(),
    /** The form's, so that pressing twice counts once. */
    key: text("key").notNull().unique(),
    kind: text("kind", { enum: ["cancel", "withdraw"] }).notNull(),
    address: text("address").notNull(),
    /** Keyed fingerprints, by which they are counted: of the mailbox, and of the place that asks. */
    fingerprint: text("fingerprint").notNull(),
    asker: text("asker").notNull(),
    createdAt: createdAt(),
    /** When the payment provider was told. */
    doneAt: time("done_at"),
  },
  (table) => [
    index("declarations_time").on(table.createdAt),
    index("declarations_mailbox").on(table.fingerprint, table.createdAt),
    index("declarations_asker").on(table.asker, table.createdAt),
    check("declarations_kind", sql`${table.kind} IN ('cancel', 'withdraw')`),
  ],
);

/** By the fingerprint of each way in that the account had, for 30 days. */
export const departures = sqliteTable(
  "departures",
  {
    id: id(),
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    leftAt: time("left_at").notNull(),
    /** Since when it counts for that user. */
    recognisedAt: time("recognised_at"),
  },
  (table) => [
    index("departures_left").on(table.leftAt),
    index("departures_user").on(table.userId).where(sql`user_id IS NOT NULL`),
  ],
);

/** Songs that a deleted account had rated, or that Spotify had not played to it. */
export const ratingMarks = sqliteTable(
  "rating_marks",
  {
    departureId: text("departure_id")
      .notNull()
      .references(() => departures.id, { onDelete: "cascade" }),
    songId: ofSong(),
    /** Filled in by a trigger. */
    recording: text("recording"),
  },
  (table) => [
    primaryKey({ columns: [table.departureId, table.songId] }),
    index("rating_marks_recording").on(table.departureId, table.recording),
    index("rating_marks_song").on(table.songId),
  ],
);

/**
 * "bounced" and "complained" end all mails. The fingerprint is keyed and refers to no user, so it outlives
 * the account.
 */
export const mailSuppressions = sqliteTable(
  "mail_suppressions",
  {
    fingerprint: text("fingerprint").notNull(),
    topic: text("topic", {
      enum: ["rating", "subscription", "songs", "rounds", "notices", "bounced", "complained"],
    }).notNull(),
    bouncedAt: time("bounced_at"),
  },
  (table) => [
    primaryKey({ columns: [table.fingerprint, table.topic] }),
    index("mail_suppressions_bounced").on(table.bouncedAt).where(sql`bounced_at IS NOT NULL`),
  ],
);

/** The batch that owes the mail deletes the row, and so does one that draws songs or opens a listen. */
export const songWishes = sqliteTable(
  "song_wishes",
  {
    id: id(),
    userId: ofUser().unique(),
    askedAt: time("asked_at").notNull(),
    lookedAt: time("looked_at").notNull(),
    /** The first of its latest looks that all found some. Null if the last one found none. */
    foundSince: time("found_since"),
  },
  (table) => [
    index("song_wishes_asked").on(table.askedAt),
    index("song_wishes_looked").on(table.lookedAt),
  ],
);

/** Computed once a day from the last thirty: a row of all songs, and one of own recordings alone. They name nobody. */
export const communityFigures = sqliteTable(
  "community_figures",
  {
    id: integer("id").primaryKey(),
    computedAt: time("computed_at").notNull(),
    songsRatedThisWeek: integer("songs_rated_this_week").notNull(),
    /** Of the last thirty days. Within these times half, and nine of ten, of the promises were kept. */
    promisesKept: integer("promises_kept").notNull(),
    halfWithinMs: integer("half_within_ms").notNull(),
    mostWithinMs: integer("most_within_ms").notNull(),
    ratings: integer("ratings").notNull(),
    liked: integer("liked").notNull(),
  },
  (table) => [check("community_figures_rows", sql`${table.id} IN (1, 2)`)],
);

/** What those are summed up from. A day (YYYY-MM-DD) has a count for each name in community.server.ts. */
export const communityDays = sqliteTable("community_days", {
  day: text("day").primaryKey(),
  counts: text("counts", { mode: "json" }).$type<Record<string, number>>().notNull(),
  countedTo: time("counted_to").notNull(),
});

/** Mails owed. The batch that owes a mail writes its row; the queue consumer renders and sends it. */
export const outbox = sqliteTable(
  "outbox",
  {
    id: id(),
    /** Null where a mail goes to an address, whoever has it. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", {
      enum: [
        "rating",
        "submission",
        "confirmation",
        "past_due",
        "premium_ended",
        "premium_welcome",
        "premium_cancelled",
        "resting",
        "songs_again",
        "release",
        "new_mix",
        "decision",
        "login_code",
        "round_begins",
        "round_ends",
        "round_open",
        "declaration",
        "declaration_open",
        "terms",
        "notice",
        "notice_decision",
        "report_decision",
      ],
    }).notNull(),
    /** What the mail is about: a rating, submission, confirmation, customer, song, wish, decision, code, round, declaration or notice. */
    subjectId: text("subject_id").notNull(),
    /** One per cause. The provider's idempotency key begins with it. */
    dedupeKey: text("dedupe_key").notNull().unique(),
    /** The row whose mail includes this one; its own id if the mail is this row's. */
    mailId: text("mail_id"),
    state: text("state", { enum: ["pending", "sent", "skipped", "failed"] })
      .notNull()
      .default("pending"),
    notBefore: time("not_before").notNull().default(0),
    attempts: integer("attempts").notNull().default(0),
    fault: text("fault"),
    createdAt: createdAt(),
    sentAt: time("sent_at"),
    /** Kept until the mail is sent, so that all attempts send the same. */
    to: text("to"),
    bcc: text("bcc"),
    subject: text("subject"),
    html: text("html"),
    text: text("text"),
  },
  (table) => [
    index("outbox_not_before").on(table.notBefore).where(sql`state = 'pending'`),
    index("outbox_mail").on(table.mailId).where(sql`mail_id IS NOT NULL`),
    index("outbox_gathering").on(table.userId).where(sql`state = 'pending' AND mail_id IS NULL`),
    index("outbox_user").on(table.userId, table.kind, table.createdAt),
    index("outbox_done").on(table.createdAt).where(sql`state <> 'pending'`),
    index("outbox_failed").on(table.createdAt).where(sql`state = 'failed'`),
    check(
      "outbox_user_known",
      sql`(${table.userId} IS NULL) = (${table.kind} IN ('login_code', 'declaration', 'declaration_open', 'notice', 'notice_decision'))`,
    ),
    check(
      "outbox_secret",
      sql`${table.kind} <> 'login_code' OR coalesce(${table.subject}, ${table.html}, ${table.text}) IS NULL`,
    ),
  ],
);

/** Of ratings, the ratings themselves are the log. */
export const activityLog = sqliteTable(
  "activity_log",
  {
    id: id(),
    kind: text("kind", { enum: ["login", "submission"] }).notNull(),
    userId: ofUser(),
    songId: text("song_id"),
    createdAt: createdAt(),
  },
  (table) => [
    index("activity_log_user").on(table.userId),
    index("activity_log_time").on(table.createdAt),
    index("activity_log_logins").on(table.userId, table.createdAt).where(sql`kind = 'login'`),
  ],
);

/** A lock outlives the account. A trigger, `submissions_unlocked`, rejects a submission of a locked user. */
export const submissionLocks = sqliteTable(
  "submission_locks",
  {
    id: id(),
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    reason: text("reason").notNull(),
    lockedAt: time("locked_at").notNull(),
  },
  (table) => [
    index("submission_locks_time").on(table.lockedAt),
    index("submission_locks_user").on(table.userId).where(sql`user_id IS NOT NULL`),
  ],
);

/** Each line is written in the batch that carries the action out. */
export const operatorLog = sqliteTable(
  "operator_log",
  {
    id: id(),
    operator: text("operator").notNull(),
    action: text("action", {
      enum: [
        "dismiss",
        "take_out",
        "put_back",
        "delete_file",
        "lock",
        "unlock",
        "send_again",
        "look",
        "export",
        "delete",
        "dismiss_notice",
        "uphold_notice",
      ],
    }).notNull(),
    /** The id of the song, mail, lock, user or notice, which may be gone. */
    target: text("target").notNull(),
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    reason: text("reason").notNull(),
    /** What a decision against somebody rests on. */
    ground: text("ground", { enum: ["terms", "law"] }),
    createdAt: createdAt(),
  },
  (table) => [
    index("operator_log_user").on(table.userId),
    index("operator_log_time").on(table.createdAt),
  ],
);

export const jobRuns = sqliteTable("job_runs", {
  job: text("job").primaryKey(),
  ranAt: time("ran_at").notNull(),
  failedAt: time("failed_at"),
});

/** Events that leave no other row behind, by UTC day (YYYY-MM-DD). */
export const dailyCounts = sqliteTable(
  "daily_counts",
  {
    day: text("day").notNull(),
    name: text("name").notNull(),
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.name] })],
);

/** Figures of a UTC day (YYYY-MM-DD). They name nobody, so they are kept. */
export const dailyStats = sqliteTable("daily_stats", {
  day: text("day").primaryKey(),
  logins: integer("logins").notNull(),
  listens: integer("listens").notNull(),
  ratings: integer("ratings").notNull(),
  passes: integer("passes").notNull(),
  submissions: integer("submissions").notNull(),
  /** Within these times half, and nine tenths, of the day's kept promises were kept. */
  halfHours: integer("half_hours"),
  nineTenthsHours: integer("nine_tenths_hours"),
  /** As the day began. Null if not counted then. */
  owed: integer("owed"),
  emptyVisits: integer("empty_visits").notNull(),
  mailsSent: integer("mails_sent").notNull(),
  mailsFailed: integer("mails_failed").notNull(),
  /** As the day ended. Null if not counted then. */
  mailsWaiting: integer("mails_waiting"),
  premiumMembers: integer("premium_members"),
  jobsFailed: integer("jobs_failed").notNull(),
  writtenAt: time("written_at").notNull(),
});
