export type Surface = "browser" | "ios" | "safari" | "app";

/** "app" is for a listener who moved to the Spotify app because the page's player could not start. */
export const banners: Record<Surface, string | null> = {
  browser: null,
  ios: "iOS: Songs play on your Spotify app",
  safari: "Safari: Songs play on your Spotify desktop app",
  app: "Songs play on your Spotify app",
};

/**
 * Every browser on iOS is WebKit, where the Web Playback SDK makes no sound. An iPad claims to be a Mac but,
 * unlike a Mac, has a touch screen.
 */
export function detectSurface(userAgent: string, maxTouchPoints: number): Surface {
  if (/iPhone|iPad|iPod/.test(userAgent)) return "ios";
  if (/Macintosh/.test(userAgent) && maxTouchPoints > 1) return "ios";
  // No part of it matches a slash, so that its cost is linear in the length of the text.
  const safari = /Version\/[\w.]+ (?:Mobile\/\w+ )?Safari\//.test(userAgent);
  return safari && !/Chrome|Chromium|Android/.test(userAgent) ? "safari" : "browser";
}
