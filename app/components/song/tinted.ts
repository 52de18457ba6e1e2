/** The classes of a part of a page that has the colour of a song's cover (app/styles/tinted.css). */
export function tinted({ tint }: { tint: number | null }): string {
  return tint === null ? "tinted" : `tinted tint-${tint}`;
}
