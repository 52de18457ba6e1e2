import type { CarouselSong } from "~/exchange/carousel/view";
import { isSameTrack, type SourceName, sourceOf } from "~/sources/song";
import type { PlaybackReport } from "./drivers/driver";

/** Where a page that goes keeps what was heard of its listen, for the next one: the server counts on its own. */
export const positionKey = "position";

type Sound = Pick<CarouselSong, "songId" | "trackId">;

/** The path of an own recording's sound, by which its driver names it. */
function audioPath(songId: string): string {
  return `/songs/${encodeURIComponent(songId)}/audio`;
}

const addresses: Record<SourceName, (song: Sound, listenId: string | null) => string> = {
  spotify: ({ trackId }) => `spotify:track:${trackId}`,
  files: ({ songId }, listenId) =>
    audioPath(songId) + (listenId ? `?listen=${encodeURIComponent(listenId)}` : ""),
};

/** What a driver plays: a track of Spotify's, or an own recording through an open listen. */
export function addressOf(song: Sound, listenId: string | null): string {
  return addresses[sourceOf(song)](song, listenId);
}

/** Asks whether the server gives sound at an address: its fault is then none of the line. */
export function isSoundAt(address: string): Promise<boolean> {
  return fetch(address, { headers: { Range: "bytes=0-1" } }).then(
    ({ ok }) => ok,
    () => false,
  );
}

export function isSoundOf(
  report: Pick<PlaybackReport, "trackIds" | "isrc">,
  { songId, trackId, isrc }: Sound & Pick<CarouselSong, "isrc">,
): boolean {
  return isSameTrack(report, { isrc, trackId: trackId ?? audioPath(songId) });
}
