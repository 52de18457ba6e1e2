/** A web address in its normal form, or null for anything that a mail must not link to. */
export function webUrl(value: string): string | null {
  if (!URL.canParse(value)) return null;
  const url = new URL(value);
  return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
}

/** A link in a text mail: the address has a line of its own. */
export function linkText(label: string, url: string): string {
  return `${label}:\n${webUrl(url) ?? ""}`;
}

/** The ratings page, opened at the song if there is only one. */
export function ratingsUrl(appOrigin: string, songIds: string[]): string {
  const page = `${appOrigin}/ratings-of-my-songs`;
  const [id] = songIds.map(encodeURIComponent);
  return songIds.length === 1 ? `${page}?song=${id}#song-${id}` : page;
}

/** The page with the result of one song. */
export function resultUrl(appOrigin: string, songId: string): string {
  return `${appOrigin}/ratings-of-my-songs/${encodeURIComponent(songId)}`;
}
