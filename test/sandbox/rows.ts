/** Songs with all that belongs to them as rows of the product's tables. They break no invariant. */
import { toTheMinute } from "../../app/db/minute.ts";
import type { CatalogueAlbum, CatalogueTrack } from "./catalogue.ts";

export type Row = Record<string, string | number | null>;

/** A submitted song with the ratings that it has received. All times are epoch milliseconds. */
export interface RatedSong {
  id: string;
  ownerId: string;
  track: CatalogueTrack;
  album: CatalogueAlbum;
  /** The names of its artists. */
  artists: string[];
  /** When each submission of it was made, oldest first. */
  submittedAt: number[];
  /** Oldest first. */
  ratings: { raterId: string; score: number; at: number }[];
}

/**
 * The rows by their tables, in an order in which they can be inserted. The users come before them.
 * @param sandboxOrigin the origin of covers and track pages.
 */
export function rowsOfSongs(
  songs: RatedSong[],
  sandboxOrigin: string,
  now: number,
): Record<string, Row[]> {
  return {
    songs: songs.map((song) => songRow(song, sandboxOrigin, now)),
    submissions: songs.flatMap(submissionRows),
    listens: songs.flatMap(listenRows),
    ratings: songs.flatMap(ratingRows),
  };
}

function songRow(song: RatedSong, sandboxOrigin: string, now: number): Row {
  const { id, ownerId, track, album, artists, submittedAt, ratings } = song;
  const entitled = 5 * submittedAt.length;
  const owed = entitled - ratings.length;
  const first = submittedAt[0] ?? now;
  const art = `${sandboxOrigin}/spotify/images/album-${album.id}`;
  return {
    id,
    owner_id: ownerId,
    track_id: track.id,
    title: track.name,
    artists: JSON.stringify(artists),
    artist_ids: JSON.stringify(track.artistIds),
    album: album.name,
    art_url: album.cover ? `${art}-640` : null,
    smaller_art: JSON.stringify(album.cover ? { 64: `${art}-64`, 300: `${art}-300` } : {}),
    duration_ms: track.durationMs,
    isrc: track.isrc,
    spotify_url: `${sandboxOrigin}/spotify/open/track/${track.id}`,
    fetched_at: now,
    entitled,
    received: ratings.length,
    owed,
    owed_since: owed > 0 ? (submittedAt[Math.floor(ratings.length / 5)] ?? null) : null,
    created_at: first,
    active_at: toTheMinute(Math.max(ratings.at(-1)?.at ?? 0, submittedAt.at(-1) ?? first)),
  };
}

/** They are free: there was nothing to rate yet. */
function submissionRows({ id, ownerId, submittedAt, ratings }: RatedSong): Row[] {
  return submittedAt.map((at, place) => ({
    id: `submission-${id}${place > 0 ? `-${place + 1}` : ""}`,
    song_id: id,
    owner_id: ownerId,
    number: place + 1,
    spent: 0,
    limited: 1,
    request_key: `${id}-${place + 1}`,
    created_at: at,
    completed_at: ratings[place * 5 + 4]?.at ?? null,
  }));
}

function listenRows({ id, ratings }: RatedSong): Row[] {
  return ratings.map(({ raterId, at }, index) => ({
    id: `listen-${id}-${index}`,
    user_id: raterId,
    song_id: id,
    required_seconds: 55,
    started_at: at - 60_000,
    finished_at: at - 1000,
    evidence: "spotify",
    closed_at: at,
  }));
}

function ratingRows({ id, ownerId, ratings }: RatedSong): Row[] {
  return ratings.map(({ raterId, score, at }, index) => ({
    id: `rating-${id}-${index}`,
    song_id: id,
    owner_id: ownerId,
    rater_id: raterId,
    listen_id: `listen-${id}-${index}`,
    score,
    owes_mail: 0,
    created_at: at,
  }));
}
