/** What songs can be played with, as the player bar says it (spec section 2, "Player bar"). */
export type Surface = "browser" | "ios" | "safari" | "app";

/** The bar's banner: browsers play in the page and have none. "app" is a browser's way out. */
export const banners: Record<Surface, string | null> = {
  browser: null,
  ios: "iOS: Songs play on your Spotify app",
  safari: "Safari: Songs play on your Spotify desktop app",
  app: "Songs play on your Spotify app",
};

/**
 * Which surface a browser has. Every browser on iOS is WebKit, where the Web Playback SDK makes no
 * sound; an iPad calls itself a Mac, but is the only one with a touch screen. Safari on the desktop
 * is told by what the others put beside its name.
 */
export function surfaceOf(userAgent: string, maxTouchPoints: number): Surface {
  if (/iPhone|iPad|iPod/.test(userAgent)) return "ios";
  if (/Macintosh/.test(userAgent) && maxTouchPoints > 1) return "ios";
  const safari = /Version\/\S+ (?:Mobile\/\S+ )?Safari\//.test(userAgent);
  return safari && !/Chrome|Chromium|Android/.test(userAgent) ? "safari" : "browser";
}
