import { type RefObject, useEffect, useState } from "react";
import type { PlayerController } from "~/player/controller";
import type { PlayerState } from "~/player/machine/state";
import type { TrackInfo } from "~/sources/song";
import { type TrackInfoJson, toTrackInfo } from "~/sources/spotify/client/json";
import type { ApiCall } from "~/sources/spotify/client/requests";

/**
 * Rejects if Spotify does not answer with a track. The second size of the cover, 300 pixels, is enough here,
 * and the list has loaded it already.
 */
export async function fetchTrackInfo(call: ApiCall, trackId: string): Promise<TrackInfo> {
  const answer = (await call({ path: `/v1/tracks/${trackId}` })) as
    | TrackInfoJson
    | null
    | undefined;
  const info = toTrackInfo(answer ?? {});
  if (!info.title || info.artists.length === 0) throw new Error("Spotify's answer is no track");
  info.artUrl = answer?.album?.images?.[1]?.url ?? info.artUrl;
  return info;
}

export function useTrackInfo(call: ApiCall | null, { song, attempt, sounding }: PlayerState) {
  const [loaded, setLoaded] = useState<{ trackId: string; info: TrackInfo | "failed" } | null>(
    null,
  );
  const trackId = song?.trackId ?? null;
  const known = loaded?.trackId === trackId ? loaded.info : song && !trackId ? song : null;
  const isLoaded = known !== null && known !== "failed";
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of these repeats a failed request
  useEffect(() => {
    if (!call || !song || trackId === null || isLoaded) return;
    const { title, artists } = song;
    let current = true;
    fetchTrackInfo(call, trackId).then(
      ({ artUrl }) => current && setLoaded({ trackId, info: { title, artists, artUrl } }),
      () => current && setLoaded({ trackId, info: "failed" }),
    );
    return () => {
      current = false;
    };
  }, [call, trackId, isLoaded, attempt, sounding]);
  return known;
}

/** Shows the system what plays in the page. Its keys steer own recordings; Spotify's player takes them itself. */
export function useMediaSession(
  info: TrackInfo | "failed" | null,
  { sounding, place, held }: PlayerState,
  controller: RefObject<PlayerController>,
): void {
  const isOwn = place === "file";
  const isShown = (sounding && place !== "app") || (isOwn && held);
  useEffect(() => {
    if (!isShown || !info) return;
    const keys = {
      play: () => controller.current?.resume(),
      pause: () => controller.current?.pause(),
    };
    setMediaSession(info === "failed" ? null : info, isOwn ? keys : null);
    return () => setMediaSession(null);
  }, [isShown, isOwn, info, controller]);
}

/**
 * Tells the system (lock screen, media keys) which track plays in the page, and what its keys do. Without
 * `keys` they are left to whatever plays.
 */
function setMediaSession(
  track: TrackInfo | null,
  keys: { play(): void; pause(): void } | null = null,
): void {
  if (!("mediaSession" in navigator)) return;
  for (const key of ["play", "pause"] as const) {
    navigator.mediaSession.setActionHandler(key, keys?.[key] ?? null);
  }
  const metadata =
    track && new MediaMetadata({ title: track.title, artist: track.artists.join(", ") });
  navigator.mediaSession.metadata = metadata;
  if (metadata && track?.artUrl) showArtwork(metadata, track.artUrl);
}

/** Lock screens do not draw SVG, as which a drawn cover comes. */
async function showArtwork(metadata: MediaMetadata, url: string): Promise<void> {
  const src = url.endsWith(".svg") ? await drawnAsPng(url).catch(() => null) : url;
  if (src) metadata.artwork = [{ src }];
}

async function drawnAsPng(url: string): Promise<string> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 192;
  canvas.getContext("2d")?.drawImage(image, 0, 0, 192, 192);
  return canvas.toDataURL();
}
