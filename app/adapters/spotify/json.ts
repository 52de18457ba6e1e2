/**
 * Spotify's JSON read as the product's types, for the Worker and the browser. The Worker checks the
 * JSON first (answers.ts); the browser, which has no room for zod, does not. So any field may be
 * missing here.
 */
import type { Playback } from "./spotify";
import type { TrackInfo } from "./track";

/** The fields of a track that name and picture it. */
export interface TrackInfoJson {
  name?: string | undefined;
  artists?: { name?: string | undefined }[] | undefined;
  album?: { images?: { url?: string | undefined }[] | undefined } | undefined;
}

/** Fields common to GET /v1/me/player and /v1/me/player/currently-playing. */
export interface PlaybackJson {
  is_playing?: boolean | undefined;
  progress_ms?: number | null | undefined;
  /** Null for an advertisement. */
  item?: PlaybackItemJson | null | undefined;
}

interface PlaybackItemJson {
  /** Null for a local file. */
  id?: string | null | undefined;
  linked_from?: { id?: string | undefined } | null | undefined;
  external_ids?: { isrc?: string | undefined } | null | undefined;
}

/** Spotify lists the largest picture first. */
export function toTrackInfo({ name, artists, album }: TrackInfoJson): TrackInfo {
  return {
    title: name ?? "",
    artists: artists?.flatMap((artist) => artist.name ?? []) ?? [],
    artUrl: album?.images?.[0]?.url ?? null,
  };
}

/** Reads the playback from the Web API or the player in the page; a relinked track has both ids. */
export function toPlayback({ is_playing, progress_ms, item }: PlaybackJson): Playback {
  return {
    playing: is_playing === true,
    progressMs: progress_ms ?? 0,
    trackIds: [item?.id, item?.linked_from?.id].filter((id) => typeof id === "string"),
    isrc: item?.external_ids?.isrc ?? null,
  };
}
