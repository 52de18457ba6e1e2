/** The Worker checks Spotify's JSON first (answers.ts). The browser does not, so any field may be missing here. */

import type { Playback } from "~/sources/listen";
import type { TrackInfo } from "~/sources/song";
import { recordingCode } from "./track";

export interface TrackInfoJson {
  name?: string | undefined;
  artists?: { name?: string | undefined }[] | undefined;
  album?: { images?: { url?: string | undefined }[] | undefined } | undefined;
}

export interface PlaybackJson {
  is_playing?: unknown;
  progress_ms?: unknown;
  /** Null for an advertisement, and at times while a song plays. */
  item?: PlaybackItemJson | null | undefined;
}

interface PlaybackItemJson {
  /** A local file has only a `uri`. */
  id?: string | null | undefined;
  uri?: string | null | undefined;
  linked_from?: { id?: string | undefined } | null | undefined;
  external_ids?: { isrc?: string | undefined } | null | undefined;
}

export function toTrackInfo({ name, artists, album }: TrackInfoJson): TrackInfo {
  return {
    title: name ?? "",
    artists: artists?.flatMap((artist) => artist.name ?? []) ?? [],
    artUrl: album?.images?.[0]?.url ?? null,
  };
}

/** Without episodes, Spotify names nothing while a podcast plays, as for a song of which nothing is known. */
export const playbackQuery = { additional_types: "track,episode" };

/** Null where the answer is empty (no active device, or a private session), names nothing, or cannot be read. */
export function toPlayback(answer: PlaybackJson | null | undefined): Playback | null {
  const { is_playing, progress_ms, item } = answer ?? {};
  const trackIds = [item?.id ?? item?.uri, item?.linked_from?.id].filter(
    (id) => typeof id === "string",
  );
  if (typeof is_playing !== "boolean" || trackIds.length === 0) return null;
  return {
    playing: is_playing,
    progressMs: typeof progress_ms === "number" ? progress_ms : null,
    trackIds,
    isrc: recordingCode(item?.external_ids?.isrc),
  };
}
