/** The first match counts: most browsers claim to be several others too. */
const browsers = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\/|Chromium\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;
const systems = [
  [/iPhone|iPod/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/CrOS/, "ChromeOS"],
  [/Windows/, "Windows"],
  [/Macintosh|Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
] as const;

/**
 * Browser and system in a few words, such as "Firefox on Android", by which users recognise their own
 * sessions. Nothing finer is stored.
 */
export function deviceOf(userAgent: string | null): string | null {
  const browser = nameIn(userAgent, browsers);
  const system = nameIn(userAgent, systems);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system;
}

function nameIn(text: string | null, names: readonly (readonly [RegExp, string])[]): string | null {
  return names.find(([pattern]) => text?.match(pattern))?.[1] ?? null;
}
