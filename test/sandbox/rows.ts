/** Rows of the product's tables, with values for whatever is left open. */

import { tintOf } from "../../app/covers/tint.ts";
import { toTheMinute } from "../../app/db/minute.ts";
import { grey, ratingsPerSubmission } from "../../app/db/rules.ts";
import type { CatalogueAlbum, CatalogueTrack } from "./catalogue.ts";
import { pixelsOf } from "./spotify/pages/picture.ts";

export type Row = Record<string, string | number | null>;

const minute = 60_000;
const day = 24 * 60 * minute;

export function userRow(given: Row & { id: string; created_at: number }): Row {
  return {
    spotify_id: `spotify-${given.id}`,
    display_name: `Musician ${given.id}`,
    email: null,
    updated_at: given.created_at,
    ...given,
  };
}

/** A login that was last active when it began, and has no tokens. */
export function sessionRow(given: Row & { id: string; user_id: string; created_at: number }): Row {
  const { created_at: begun } = given;
  return {
    way: "spotify",
    client_id: "sandbox-client-a",
    access_token: "",
    refresh_token: "",
    token_expires_at: begun + 60 * minute,
    last_seen_at: begun,
    expires_at: begun + 7 * day,
    ...given,
  };
}

/** An own recording that has been submitted, or is about to be. */
export function recordingRow(
  given: Row & { id: string; owner_id: string; created_at: number },
): Row {
  const { id } = given;
  return {
    state: "submitted",
    hash: `hash-${id}`,
    drawn_from: `drawn-${id}`,
    type: "mp3",
    bytes: 3_000_000,
    duration_ms: 180_000,
    audio_start: 0,
    title: `Title of ${id}`,
    artist: `Artist of ${id}`,
    made: "people",
    hearing: "heard",
    ...given,
  };
}

/** What a song's row has for an own recording in the place of a track. */
export function ownRecordingColumns(recordingId: string): Row {
  return { track_id: null, spotify_url: null, own_recording_id: recordingId, album: "" };
}

export function songRow(given: Row & { id: string; owner_id: string; created_at: number }): Row {
  const { id, created_at: submittedAt } = given;
  return {
    track_id: `track-${id}`,
    title: `Title of ${id}`,
    artists: JSON.stringify([`Artist of ${id}`]),
    album: `Album of ${id}`,
    duration_ms: 180_000,
    spotify_url: `https://open.spotify.com/track/${id}`,
    fetched_at: submittedAt,
    entitled: ratingsPerSubmission,
    received: 0,
    owed: ratingsPerSubmission,
    owed_since: submittedAt,
    active_at: toTheMinute(submittedAt),
    ...given,
  };
}

export function submissionRow(
  given: Row & { song_id: string; owner_id: string; number: number; created_at: number },
): Row {
  const id = `submission-${given.song_id}-${given.number}`;
  return { id, spent: 0, limited: 1, request_key: id, ...given };
}

export function listenRow(
  given: Row & { id: string; user_id: string; song_id: string; started_at: number },
): Row {
  return {
    required_seconds: 55,
    finished_at: null,
    evidence: (given.finished_at ?? null) === null ? null : "spotify",
    closed_at: null,
    ...given,
  };
}

/** What a finished listen's row has for an own recording. */
export function deliveredColumns({ required_seconds = 55 }: Row = {}): Row {
  return { evidence: "delivery", delivered_ms: Number(required_seconds) * 1000 };
}

/** A rating that owes no mail, and the listen that it needs. */
export function ratingRows(
  given: Row & { id: string; song_id: string; rater_id: string; created_at: number },
): { listen: Row; rating: Row } {
  const { id, song_id, rater_id: user_id, created_at: at } = given;
  const listen = { id: `listen-${id}`, user_id, song_id, started_at: at - minute };
  return {
    listen: listenRow({ ...listen, finished_at: at, closed_at: at }),
    rating: { listen_id: listen.id, score: 3, owes_mail: 0, ...given },
  };
}

export function outboxRow(
  given: Row & { id: string; user_id: string | null; kind: string; subject_id: string },
): Row {
  const { kind, subject_id } = given;
  return { dedupe_key: `${kind}:${subject_id}`, created_at: 0, not_before: 0, ...given };
}

interface Rated {
  id: string;
  ownerId: string;
  submittedAt: number[];
  ratings: { raterId: string; score: number; at: number }[];
}

export interface RatedSong extends Rated {
  track: CatalogueTrack;
  album: CatalogueAlbum;
  artists: string[];
}

/** A song that is an own recording. */
export interface RatedRecording extends Rated {
  recording: Row & { id: string; title: string; artist: string; duration_ms: number };
}

/** The rows by table, in an order in which they can be inserted after the users. */
export function rowsOfSongs(
  songs: (RatedSong | RatedRecording)[],
  sandboxOrigin: string,
  now: number,
): Record<string, Row[]> {
  const recordings = songs.flatMap((song) => ("recording" in song ? [rowOfRecording(song)] : []));
  return {
    ...(recordings.length > 0 ? { recordings } : {}),
    songs: songs.map((song) => rowOfSong(song, sandboxOrigin, now)),
    submissions: songs.flatMap(rowsOfSubmissions),
    listens: songs.flatMap(rowsOfRatings).map(({ listen }) => listen),
    ratings: songs.flatMap(rowsOfRatings).map(({ rating }) => rating),
  };
}

function rowOfSong(song: RatedSong | RatedRecording, sandboxOrigin: string, now: number): Row {
  const { id, ownerId, submittedAt, ratings } = song;
  const entitled = ratingsPerSubmission * submittedAt.length;
  const owed = entitled - ratings.length;
  const oldestOpen = submittedAt[Math.floor(ratings.length / ratingsPerSubmission)];
  const first = submittedAt[0] ?? now;
  return songRow({
    id,
    owner_id: ownerId,
    created_at: first,
    ...("recording" in song ? columnsOfRecording(song) : columnsOfTrack(song, sandboxOrigin)),
    fetched_at: now,
    entitled,
    received: ratings.length,
    owed,
    owed_since: owed > 0 ? (oldestOpen ?? null) : null,
    active_at: toTheMinute(Math.max(ratings.at(-1)?.at ?? 0, submittedAt.at(-1) ?? first)),
  });
}

function columnsOfTrack({ track, album, artists }: RatedSong, sandboxOrigin: string): Row {
  const art = `${sandboxOrigin}/spotify/images/album-${album.id}`;
  return {
    track_id: track.id,
    own_recording_id: null,
    title: track.name,
    artists: JSON.stringify(artists),
    artist_ids: JSON.stringify(track.artistIds),
    album: album.name,
    art_url: album.cover ? `${art}-640` : null,
    smaller_art: JSON.stringify(album.cover ? { 64: `${art}-64`, 300: `${art}-300` } : {}),
    tint: album.cover ? tintOf(pixelsOf("album", album.id, 64)) : grey,
    duration_ms: track.durationMs,
    isrc: track.isrc,
    spotify_url: `${sandboxOrigin}/spotify/open/track/${track.id}`,
    explicit: Number(track.explicit),
  };
}

/** The same columns as of a track, because one statement inserts both. */
function columnsOfRecording({ recording }: RatedRecording): Row {
  return {
    ...ownRecordingColumns(recording.id),
    title: recording.title,
    artists: JSON.stringify([recording.artist]),
    artist_ids: "[]",
    art_url: null,
    smaller_art: "{}",
    tint: null,
    duration_ms: recording.duration_ms,
    isrc: null,
    explicit: 0,
  };
}

function rowOfRecording({ ownerId, recording, submittedAt: [first = 0] }: RatedRecording): Row {
  return recordingRow({ owner_id: ownerId, created_at: first - minute, ...recording });
}

function rowsOfSubmissions(song: RatedSong | RatedRecording): Row[] {
  const { id, ownerId, submittedAt, ratings } = song;
  return submittedAt.map((at, place) =>
    submissionRow({
      id: `submission-${id}${place > 0 ? `-${place + 1}` : ""}`,
      song_id: id,
      owner_id: ownerId,
      own_recording_id: "recording" in song ? song.recording.id : null,
      number: place + 1,
      created_at: at,
      completed_at: ratings[(place + 1) * ratingsPerSubmission - 1]?.at ?? null,
    }),
  );
}

function rowsOfRatings(song: RatedSong | RatedRecording) {
  const { id, ownerId, ratings } = song;
  return ratings.map(({ raterId, score, at }, index) => {
    const given = { id: `rating-${id}-${index}`, song_id: id, owner_id: ownerId };
    const rows = ratingRows({ ...given, rater_id: raterId, score, created_at: at });
    const heard = "recording" in song ? deliveredColumns() : { delivered_ms: 0 };
    return { ...rows, listen: { ...rows.listen, ...heard } };
  });
}

/** INSERT statements of at most 40 rows each, because D1 limits the length of a statement. */
export function insert(table: string, rows: Row[]): string[] {
  const columns = Object.keys(rows[0] ?? {});
  const statements: string[] = [];
  for (let start = 0; start < rows.length; start += 40) {
    const values = rows
      .slice(start, start + 40)
      .map((row) => `(${columns.map((column) => literal(row[column] ?? null)).join(", ")})`);
    const into = `INTO ${table} (${columns.join(", ")})`;
    statements.push(`INSERT OR IGNORE ${into} VALUES\n${values.join(",\n")};`);
  }
  return statements;
}

function literal(value: string | number | null): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
