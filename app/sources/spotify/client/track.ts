export const unknownArtist = "Unknown artist";

/** An ISRC in upper case without hyphens; null for anything else. */
export function recordingCode(text: string | null | undefined): string | null {
  const code = text?.replace(/\W/g, "").toUpperCase() ?? "";
  return /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/.test(code) ? code : null;
}

/** Ids of tracks, albums and artists have 22 base-62 characters. */
export function isSpotifyId(text: string): boolean {
  return /^[0-9A-Za-z]{22}$/.test(text);
}
