import { sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { flag, id, time } from "./columns";

/** A musician: one row a Spotify account. `credits` are ratings given and not yet spent. */
export const users = sqliteTable(
  "users",
  {
    id: id(),
    /** Spotify's `account_id` where it gives one, else `id`. */
    spotifyId: text("spotify_id").notNull().unique(),
    displayName: text("display_name").notNull(),
    imageUrl: text("image_url"),
    /** As Spotify gives it, who does not promise that it is the user's. */
    email: text("email"),
    credits: integer("credits").notNull().default(0),
    ratedCount: integer("rated_count").notNull().default(0),
    submittedCount: integer("submitted_count").notNull().default(0),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
    /** An address the user gave, confirmed by a mailed link. It goes before Spotify's. */
    ownEmail: text("own_email"),
    /** Of `ratedCount`, how many went to songs that are gone with their owner's account. */
    ratedWithdrawn: integer("rated_withdrawn").notNull().default(0),
  },
  (table) => [
    index("users_own_email").on(sql`lower(${table.ownEmail})`).where(sql`own_email IS NOT NULL`),
    check("users_credits", sql`${table.credits} >= 0 AND ${table.credits} <= ${table.ratedCount}`),
    check("users_submitted_count", sql`${table.submittedCount} >= 0`),
  ],
);

/** A login. `id` is a SHA-256 of what the cookie holds, so that a read of the table opens nothing. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Which of the configured Spotify client ids this login went through. */
    clientId: text("client_id").notNull(),
    /** Cycles 1 to 3 (spec section 4, "Carousel selection"). */
    visit: integer("visit").notNull().default(1),
    /** Cycles 1 to 3, moved on by a normal add. */
    slide: integer("slide").notNull().default(1),
    /** The Spotify tokens of this login, AES-GCM. */
    accessToken: text("access_token").notNull(),
    refreshToken: text("refresh_token").notNull(),
    tokenExpiresAt: time("token_expires_at").notNull(),
    /** A refresh under way holds this lease until then. */
    refreshLeaseUntil: time("refresh_lease_until").notNull().default(0),
    createdAt: time("created_at").notNull(),
    lastSeenAt: time("last_seen_at").notNull(),
    /** When it ends if nothing more is done with it (app/domain/session/lifetime.ts). */
    expiresAt: time("expires_at").notNull(),
    /** Browser and system in a word or two, for the list of one's own sessions. */
    device: text("device"),
  },
  (table) => [
    index("sessions_user").on(table.userId),
    index("sessions_expiry").on(table.expiresAt),
    check("sessions_visit", sql`${table.visit} BETWEEN 1 AND 3`),
    check("sessions_slide", sql`${table.slide} BETWEEN 1 AND 3`),
  ],
);

/** A track somebody put up for rating: one row an owner and track, however often it was submitted. */
export const songs = sqliteTable(
  "songs",
  {
    id: id(),
    ownerId: text("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    trackId: text("track_id").notNull(),
    title: text("title").notNull(),
    /** JSON array of names. */
    artists: text("artists", { mode: "json" }).$type<string[]>().notNull(),
    album: text("album").notNull(),
    artUrl: text("art_url"),
    durationMs: integer("duration_ms").notNull(),
    isrc: text("isrc"),
    spotifyUrl: text("spotify_url").notNull(),
    /** When the metadata above was last read from Spotify. */
    fetchedAt: time("fetched_at").notNull(),
    /** Ratings promised: 5 a submission. */
    entitled: integer("entitled").notNull(),
    /** Ratings received; equals the rows in `ratings`. */
    received: integer("received").notNull().default(0),
    /** Ratings still owed. One beyond the promise is nobody's debt, so this is not a difference. */
    owed: integer("owed").notNull(),
    /** When the oldest submission that is still owed ratings was made; null when none is. */
    owedSince: time("owed_since"),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    unique("songs_owner_track").on(table.ownerId, table.trackId),
    // The target of the composite key by which a rating proves whose song it is about.
    unique("songs_id_owner").on(table.id, table.ownerId),
    index("songs_owed_since").on(table.owedSince, table.id).where(sql`owed_since IS NOT NULL`),
    check("songs_entitled", sql`${table.entitled} > 0 AND ${table.entitled} % 5 = 0`),
    check("songs_received", sql`${table.received} >= 0`),
    check(
      "songs_owed",
      sql`${table.owed} BETWEEN max(0, ${table.entitled} - ${table.received}) AND ${table.entitled}`,
    ),
    check("songs_due_while_owed", sql`(${table.owedSince} IS NOT NULL) = (${table.owed} > 0)`),
  ],
);

/** One upload of a song: the promise of five ratings. */
export const submissions = sqliteTable(
  "submissions",
  {
    id: id(),
    songId: text("song_id")
      .notNull()
      .references(() => songs.id, { onDelete: "cascade" }),
    ownerId: text("owner_id").notNull(),
    /** 1 for the first upload of the song, and so on. */
    number: integer("number").notNull(),
    allotment: integer("allotment").notNull().default(5),
    /** Credits this submission cost. */
    spent: integer("spent").notNull(),
    /** Whether it was made while the pool was nearly or wholly empty. */
    limited: flag("limited").notNull(),
    /** The key of the form it came from, so that a second press does nothing. */
    requestKey: text("request_key").notNull(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    unique("submissions_number").on(table.songId, table.number),
    unique("submissions_request").on(table.ownerId, table.requestKey),
    check("submissions_allotment", sql`${table.allotment} = 5`),
    check("submissions_spent", sql`${table.spent} >= 0`),
  ],
);

/** The songs drawn for a user to rate; stays until rated through. */
export const packages = sqliteTable(
  "packages",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    number: integer("number").notNull(),
    drawnAt: time("drawn_at").notNull(),
  },
  // Two draws at once: the second meets this and does nothing.
  (table) => [unique("packages_number").on(table.userId, table.number)],
);

export const packageSongs = sqliteTable(
  "package_songs",
  {
    packageId: text("package_id")
      .notNull()
      .references(() => packages.id, { onDelete: "cascade" }),
    songId: text("song_id")
      .notNull()
      .references(() => songs.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
    /** When the user saved it to their library by the button; null when they have not. */
    favoritedAt: time("favorited_at"),
  },
  (table) => [
    primaryKey({ columns: [table.packageId, table.songId] }),
    index("package_songs_song").on(table.songId),
  ],
);

/**
 * How far a viewer's walk through the rotation has come (app/domain/pool/pool.server.ts). It can
 * be forgotten: the next walk then begins at the start.
 */
export const poolWindows = sqliteTable(
  "pool_windows",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Of the songs due until then the viewer can rate those in `waiting` alone. */
    seenTo: time("seen_to").notNull(),
    /** JSON array of song ids. */
    waiting: text("waiting", { mode: "json" }).$type<string[]>().notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (table) => [index("pool_windows_time").on(table.updatedAt)],
);

/** One hearing of a song, kept to guard the rating that follows it; no other playback data is stored. */
export const listens = sqliteTable(
  "listens",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    songId: text("song_id")
      .notNull()
      .references(() => songs.id, { onDelete: "cascade" }),
    requiredSeconds: integer("required_seconds").notNull(),
    startedAt: time("started_at").notNull(),
    /** When it was confirmed that the required time was heard. */
    finishedAt: time("finished_at"),
    /** Who confirmed: Spotify's playback state and the clock, or the clock alone. */
    evidence: text("evidence", { enum: ["spotify", "clock"] }),
    /** When Spotify last said that something else, or nothing, was playing. */
    doubtedAt: time("doubted_at"),
    /** When a rating or a newer listen ended it; null is the user's one open listen. */
    closedAt: time("closed_at"),
  },
  (table) => [
    uniqueIndex("listens_open").on(table.userId).where(sql`closed_at IS NULL`),
    index("listens_user_song").on(table.userId, table.songId, table.startedAt),
    index("listens_song").on(table.songId),
    index("listens_started").on(table.startedAt),
    check("listens_required", sql`${table.requiredSeconds} >= 3`),
    check(
      "listens_finished",
      sql`(${table.finishedAt} IS NULL) = (${table.evidence} IS NULL) AND (${table.finishedAt} IS NULL OR ${table.finishedAt} >= ${table.startedAt} + (${table.requiredSeconds} + 1) * 1000)`,
    ),
  ],
);

/**
 * A trigger, `ratings_after_listen` in migration 0004, lets none in without a rater and without that
 * rater's finished listen of that song. Both may be forgotten later: a rating outlives them.
 */
export const ratings = sqliteTable(
  "ratings",
  {
    id: id(),
    songId: text("song_id").notNull(),
    ownerId: text("owner_id").notNull(),
    /** Null once the rater's account is gone. */
    raterId: text("rater_id").references(() => users.id, { onDelete: "set null" }),
    /** Null once the listen is forgotten. */
    listenId: text("listen_id")
      .unique()
      .references(() => listens.id, { onDelete: "set null" }),
    score: integer("score").notNull(),
    /** Whether the owner wanted a mail when this was given, as long as the outbox has its row. */
    owesMail: flag("owes_mail").notNull(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    unique("ratings_rater_song").on(table.raterId, table.songId),
    foreignKey({
      name: "ratings_song_owner",
      columns: [table.songId, table.ownerId],
      foreignColumns: [songs.id, songs.ownerId],
    }).onDelete("cascade"),
    index("ratings_song").on(table.songId, table.createdAt),
    check("ratings_score", sql`${table.score} BETWEEN 1 AND 4`),
    check("ratings_not_own", sql`${table.raterId} <> ${table.ownerId}`),
  ],
);

/**
 * What the payment provider last said: status and tier are written by the subscription sync alone,
 * customer and checkout also when a checkout begins.
 */
export const subscriptions = sqliteTable(
  "subscriptions",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    status: text("status").notNull(),
    tier: text("tier", { enum: ["free", "premium"] }).notNull(),
    subscriptionId: text("subscription_id"),
    customerId: text("customer_id"),
    startedAt: time("started_at"),
    cancelAt: time("cancel_at"),
    updatedAt: time("updated_at").notNull(),
    /** When what the row says was asked of the payment provider; older news do not replace it. */
    syncedAt: time("synced_at").notNull().default(0),
    /** The checkout begun last, and how many there were. */
    checkoutId: text("checkout_id"),
    checkoutNumber: integer("checkout_number").notNull().default(0),
  },
  (table) => [
    uniqueIndex("subscriptions_customer").on(table.customerId),
    // Those that may still change without a checkout; the daily sweep asks by the same words.
    index("subscriptions_swept")
      .on(table.syncedAt)
      .where(
        sql`customer_id IS NOT NULL AND status NOT IN ('none', 'canceled', 'incomplete_expired')`,
      ),
    index("subscriptions_updated").on(table.updatedAt),
  ],
);

/** Webhook events whose work is done. */
export const billingEvents = sqliteTable(
  "billing_events",
  { id: id(), createdAt: time("created_at").notNull() },
  (table) => [index("billing_events_time").on(table.createdAt)],
);

/** Absent means yes (spec section 3). */
export const emailPreferences = sqliteTable("email_preferences", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  receiveRatingEmails: flag("receive_rating_emails").notNull().default(true),
  updatedAt: time("updated_at").notNull(),
  receiveSubscriptionEmails: flag("receive_subscription_emails").notNull().default(true),
});

/**
 * Addresses that users gave, each with a mailed link that confirms it once: those of the last day,
 * and the ones that stand confirmed.
 */
export const emailConfirmations = sqliteTable(
  "email_confirmations",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    address: text("address").notNull(),
    createdAt: time("created_at").notNull(),
    expiresAt: time("expires_at").notNull(),
    /** When the link was pressed; null again once mails no longer go there. */
    usedAt: time("used_at"),
  },
  (table) => [
    index("email_confirmations_user").on(table.userId, table.createdAt),
    index("email_confirmations_unused").on(table.createdAt).where(sql`used_at IS NULL`),
    check(
      "email_confirmations_used",
      sql`${table.usedAt} IS NULL OR ${table.usedAt} < ${table.expiresAt}`,
    ),
  ],
);

/**
 * Confirmations that were mailed within the last day, by whom and to which address, both as
 * fingerprints: kept apart from the user, so that deleting an account begins no new count.
 */
export const confirmationCounts = sqliteTable(
  "confirmation_counts",
  { id: id(), fingerprint: text("fingerprint").notNull(), createdAt: time("created_at").notNull() },
  (table) => [
    index("confirmation_counts_fingerprint").on(table.fingerprint, table.createdAt),
    index("confirmation_counts_time").on(table.createdAt),
  ],
);

/** Mails owed. Written in the batch that owes them; rendered and sent by the queue consumer. */
export const outbox = sqliteTable(
  "outbox",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", {
      enum: ["rating", "submission", "confirmation", "past_due", "premium_ended"],
    }).notNull(),
    /** The rating, submission, confirmation or customer it tells of. */
    subjectId: text("subject_id").notNull(),
    /** One mail a cause; the provider's idempotency key begins with it. */
    dedupeKey: text("dedupe_key").notNull().unique(),
    /** "skipped": at the time of sending nobody wanted it, or there was no address. */
    state: text("state", { enum: ["pending", "sent", "skipped", "failed"] })
      .notNull()
      .default("pending"),
    /** The mail as rendered, from the first attempt until it is sent: each attempt sends the same. */
    to: text("to"),
    bcc: text("bcc"),
    subject: text("subject"),
    html: text("html"),
    text: text("text"),
    createdAt: time("created_at").notNull(),
    /** The row whose mail tells of this one too; its own id for that row itself. */
    mailId: text("mail_id"),
    /** Not to be tried before: while ratings gather, while it is being sent, after a fault. */
    notBefore: time("not_before").notNull().default(0),
    attempts: integer("attempts").notNull().default(0),
    sentAt: time("sent_at"),
    /** Why the last attempt failed, or why it was skipped. */
    fault: text("fault"),
  },
  (table) => [
    index("outbox_not_before").on(table.notBefore).where(sql`state = 'pending'`),
    index("outbox_mail").on(table.mailId).where(sql`mail_id IS NOT NULL`),
    index("outbox_gathering").on(table.userId).where(sql`state = 'pending' AND mail_id IS NULL`),
    index("outbox_user").on(table.userId, table.kind, table.createdAt),
    index("outbox_done").on(table.createdAt).where(sql`state <> 'pending'`),
  ],
);

/** Logins, uploads and ratings, in order (the spec's three log documents). */
export const activityLog = sqliteTable(
  "activity_log",
  {
    id: id(),
    kind: text("kind", { enum: ["login", "upload", "rating"] }).notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The song uploaded or rated. */
    songId: text("song_id"),
    score: integer("score"),
    createdAt: time("created_at").notNull(),
  },
  (table) => [
    index("activity_log_user").on(table.userId),
    index("activity_log_time").on(table.createdAt),
  ],
);
