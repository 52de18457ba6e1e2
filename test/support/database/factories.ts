/** Creates rows in `env.DB` that break no invariant: a rating comes with its listen, credit and count. */
import { env } from "cloudflare:workers";
import { toTheMinute } from "~/db/minute";
import { songs } from "~/db/schema";
import { songColumns } from "~/db/song-columns";
import type { Score } from "~/exchange/rating/scale";
import { tierConfigs } from "~/members/tiers";
import type { Made } from "~/sources/made";
import type { Track } from "~/sources/song";
import {
  deliveredColumns,
  listenRow,
  ownRecordingColumns,
  type Row,
  ratingRows,
  recordingRow,
  songRow,
  submissionRow,
  userRow,
} from "../../sandbox/rows";

/** The time of the first rows, far enough in the past for everything to be over. */
export const baseTime = Date.UTC(2026, 0, 15, 12);

export const freePrice = tierConfigs.free.ratingsToSubmit;

/** Only letters, because a mail leaves out a title that could be a telephone number. */
const file = crypto
  .randomUUID()
  .slice(0, 8)
  .replace(/\d/g, (digit) => "ghijklmnop"[+digit] ?? "");
let made = 0;

/** A name that no other test uses; later ones sort behind earlier ones. */
export function unique(name: string): string {
  made += 1;
  return `${name}-${file}-${String(made).padStart(5, "0")}`;
}

export interface TestUser {
  id: string;
  displayName: string;
}

export interface UserOptions {
  displayName?: string;
  email?: string | null;
  ownEmail?: string | null;
  tier?: "free" | "premium" | "past_due";
  /** Ratings given and not yet spent, of songs that are gone. */
  credits?: number;
  receiveRatingEmails?: boolean;
}

export async function makeUser(options: UserOptions = {}): Promise<TestUser> {
  const id = unique("user");
  const { displayName = unique("Musician"), email = `${id}@musicians.example`, tier } = options;
  const { ownEmail = null, credits = 0 } = options;
  const rated = { credits, rated_count: credits, rated_withdrawn: credits };
  const statements = [
    insertUser({ id, display_name: displayName, email, own_email: ownEmail, ...rated }),
  ];
  if (ownEmail) {
    statements.push(
      insert("mailed_proofs", {
        id: unique("confirmation"),
        kind: "confirmation",
        asked_by: id,
        address: ownEmail,
        created_at: baseTime,
        expires_at: baseTime + 86_400_000,
        used_at: baseTime + 60_000,
      }),
    );
  }
  if (tier && tier !== "free") {
    const status = tier === "premium" ? "active" : tier;
    statements.push(
      insert("subscriptions", {
        user_id: id,
        status,
        tier: "premium",
        subscription_id: unique("sub"),
        customer_id: unique("cus"),
        updated_at: baseTime,
      }),
    );
  }
  if (options.receiveRatingEmails !== undefined) {
    const wanted = options.receiveRatingEmails ? 1 : 0;
    statements.push(
      insert("email_preferences", {
        user_id: id,
        receive_rating_emails: wanted,
        updated_at: baseTime,
      }),
    );
  }
  await env.DB.batch(statements);
  return { id, displayName };
}

function insertUser(given: Row & { id: string }): D1PreparedStatement {
  return insert(
    "users",
    userRow({ spotify_id: unique("spotify"), created_at: baseTime, ...given }),
  );
}

/** A song as it was when it was made; its counters are not updated. */
export interface TestSong extends Track {
  id: string;
  ownerId: string;
}

type AnySong = Pick<TestSong, "id" | "ownerId">;

interface SongOptions extends Partial<Track> {
  made?: Made;
  tint?: number | null;
  artistIds?: string[];
  submittedAt?: number[];
  received?: number;
}

export interface TestRecording {
  id: string;
  ownerId: string;
  hash: string;
}

interface RecordingOptions {
  state?: "arriving" | "draft" | "submitted";
  /** The same hash means the same bytes. */
  hash?: string;
  /** What a cover is drawn from. */
  drawnFrom?: string;
  durationMs?: number;
  title?: string;
  artist?: string;
  fileEndedAt?: number;
}

/** A draft by default; without a file in the bucket. */
export async function makeOwnRecording(
  owner: TestUser,
  options: RecordingOptions = {},
): Promise<TestRecording> {
  const id = crypto.randomUUID();
  const {
    state = "draft",
    hash = `hash-${id}`,
    drawnFrom = `drawn-${id}`,
    durationMs = 180_000,
    fileEndedAt = null,
  } = options;
  const { title = `Title of ${id}`, artist = owner.displayName } = options;
  const names = { title, artist, file_ended_at: fileEndedAt };
  const read = { hash, drawn_from: drawnFrom, duration_ms: durationMs };
  await insert("recordings", {
    ...recordingRow({ id, owner_id: owner.id, created_at: baseTime, state, ...names, ...read }),
  }).run();
  return { id, ownerId: owner.id, hash };
}

export interface OwnTestSong extends AnySong {
  recording: TestRecording;
}

/** A song in rotation that is an own recording. */
export async function makeOwnSong(
  owner: TestUser,
  {
    submittedAt = [baseTime],
    ...options
  }: Omit<RecordingOptions, "state"> & { submittedAt?: number[] } = {},
): Promise<OwnTestSong> {
  const id = unique("song");
  const recording = await makeOwnRecording(owner, { ...options, state: "submitted" });
  const { durationMs = 180_000, title = `Title of ${id}`, artist = owner.displayName } = options;
  const first = submittedAt[0] ?? baseTime;
  await env.DB.batch([
    insert("songs", {
      ...songRow({ id, owner_id: owner.id, created_at: first }),
      ...ownRecordingColumns(recording.id),
      title,
      artists: JSON.stringify([artist]),
      duration_ms: durationMs,
      entitled: submittedAt.length * 5,
      owed: submittedAt.length * 5,
      ...(submittedAt.length === 0 && { owed_since: null }),
      active_at: toTheMinute(submittedAt.at(-1) ?? first),
    }),
    ...submittedAt.map((at, index) => {
      const about = { song_id: id, owner_id: owner.id, number: index + 1, created_at: at };
      const mix = { own_recording_id: recording.id };
      return insert("submissions", submissionRow({ id: unique("submission"), ...about, ...mix }));
    }),
    env.DB.prepare("UPDATE users SET submitted_count = submitted_count + ? WHERE id = ?").bind(
      submittedAt.length,
      owner.id,
    ),
  ]);
  return { id, ownerId: owner.id, recording };
}

/** A song in rotation, submitted for free. It lasts 3 minutes by default. */
export async function makeSong(owner: TestUser, options: SongOptions = {}): Promise<TestSong> {
  const { submittedAt = [baseTime], received = 0, artistIds = [], tint = null, ...rest } = options;
  const { made = "people", ...given } = rest;
  const id = unique("song");
  const track: Track = {
    // As long as Spotify's ids.
    trackId: id.replaceAll("-", "").padEnd(22, "0"),
    title: `Title of ${id}`,
    artists: [`Artist of ${id}`],
    album: `Album of ${id}`,
    artUrl: null,
    smallerArt: {},
    durationMs: 180_000,
    isrc: null,
    spotifyUrl: `https://open.spotify.com/track/${id}`,
    explicit: false,
    ...given,
  };
  const first = submittedAt[0] ?? baseTime;
  const song = { id, ownerId: owner.id, ...track };
  const raters = Array.from({ length: received }, () => ({ id: unique("user"), displayName: "" }));
  await env.DB.batch([
    insert("songs", {
      ...songRow({ id, owner_id: owner.id, created_at: first }),
      ...trackRow({ ...track, tint, made }),
      artist_ids: JSON.stringify(artistIds),
      entitled: submittedAt.length * 5,
      owed: submittedAt.length * 5,
      ...(submittedAt.length === 0 && { owed_since: null }),
      active_at: toTheMinute(submittedAt.at(-1) ?? first),
    }),
    ...submittedAt.map((at, index) => {
      const about = { song_id: id, owner_id: owner.id, number: index + 1, created_at: at };
      return insert("submissions", submissionRow({ id: unique("submission"), ...about }));
    }),
    env.DB.prepare(
      `UPDATE users SET submitted_count = submitted_count + ?,
         own_artists = json_patch(own_artists, ?) WHERE id = ?`,
    ).bind(
      submittedAt.length,
      JSON.stringify(artistIds[0] ? { [artistIds[0]]: track.artists[0] } : {}),
      owner.id,
    ),
    ...raters.flatMap((rater) => [
      insertUser({ id: rater.id, email: `${rater.id}@musicians.example` }),
      ...writeRating(unique("rating"), rater, song),
    ]),
  ]);
  return song;
}

/** The columns of `songs` that describe the track; includes fields that are added to tracks later. */
function trackRow(track: Track & { tint: number | null; made: Made }): Row {
  return Object.fromEntries(
    Object.entries({ ...songColumns, artUrl: songs.artUrl }).map(([field, column]) => {
      const value = track[field as keyof typeof songColumns];
      return [column.name, value === null ? null : column.mapToDriverValue(value)];
    }),
  ) as Row;
}

interface ListenOptions {
  startedAt?: number;
  requiredSeconds?: number;
  finishedAt?: number;
  /** When it ended; by default it is the user's open listen. */
  closedAt?: number;
  /** Of an own recording. */
  deliveredMs?: number;
}

export async function makeListen(
  user: TestUser,
  song: AnySong,
  options: ListenOptions = {},
): Promise<string> {
  const id = unique("listen");
  const { startedAt = baseTime, requiredSeconds = 55 } = options;
  await insert(
    "listens",
    listenRow({
      ...{ id, user_id: user.id, song_id: song.id, started_at: startedAt },
      required_seconds: requiredSeconds,
      finished_at: options.finishedAt ?? null,
      closed_at: options.closedAt ?? null,
      delivered_ms: options.deliveredMs ?? 0,
    }),
  ).run();
  return id;
}

interface RatingOptions {
  score?: Score;
  at?: number;
  reasons?: number | null;
  /** Only with `playlistScore`. */
  inPlaylist?: boolean;
}

/** A rating with everything that belongs to it except its mail. @returns its id. */
export async function makeRating(
  rater: TestUser,
  song: AnySong,
  options: RatingOptions = {},
): Promise<string> {
  const id = unique("rating");
  await env.DB.batch(writeRating(id, rater, song, options));
  return id;
}

function writeRating(
  id: string,
  rater: TestUser,
  song: AnySong,
  { score = 3, at = baseTime + 60_000, reasons = null, inPlaylist = false }: RatingOptions = {},
): D1PreparedStatement[] {
  const { listen, rating } = ratingRows({
    ...{ id, song_id: song.id, owner_id: song.ownerId, rater_id: rater.id },
    ...{ score, created_at: at, reasons, in_playlist: Number(inPlaylist) },
  });
  return [
    insert("listens", "recording" in song ? { ...listen, ...deliveredColumns(listen) } : listen),
    insert("ratings", rating),
    env.DB.prepare(
      `UPDATE songs SET received = received + 1, owed = max(0, owed - 1),
         active_at = max(active_at, ?1), news_since = coalesce(news_since, ?1),
         owed_since = (SELECT created_at FROM submissions WHERE song_id = songs.id
                   AND songs.owed > 1 AND number = (songs.entitled - songs.owed + 1) / 5 + 1)
       WHERE id = ?2`,
    ).bind(toTheMinute(at), song.id),
    env.DB.prepare(
      "UPDATE users SET credits = credits + 1, rated_count = rated_count + 1 WHERE id = ?",
    ).bind(rater.id),
  ];
}

export async function giveRatings({ id }: TestUser, count: number): Promise<void> {
  await env.DB.prepare(
    `UPDATE users SET credits = credits + ?1, rated_count = rated_count + ?1,
       rated_withdrawn = rated_withdrawn + ?1 WHERE id = ?2`,
  )
    .bind(count, id)
    .run();
}

/** A package with the songs in this order. A new one is drawn a day after `drawnAt`. */
export async function makePackage(
  user: TestUser,
  songs: AnySong[],
  drawnAt = Date.now(),
): Promise<string> {
  const id = unique("package");
  await env.DB.batch([
    env.DB.prepare("DELETE FROM packages WHERE user_id = ?").bind(user.id),
    insert("packages", { id, user_id: user.id, number: 1, drawn_at: drawnAt }),
    ...songs.map((song, position) =>
      insert("package_songs", { package_id: id, song_id: song.id, position }),
    ),
  ]);
  return id;
}

export function insert(table: string, row: Row): D1PreparedStatement {
  const columns = Object.keys(row);
  return env.DB.prepare(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  ).bind(...Object.values(row));
}
