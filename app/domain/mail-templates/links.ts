/** A web address in its normal form, or null for anything a mail must not lead to. */
export function webUrl(value: string): string | null {
  if (!URL.canParse(value)) return null;
  const url = new URL(value);
  return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
}

/** The ratings page, open at one song where only one is meant. */
export function ratingsUrl(appOrigin: string, songIds: string[]): string {
  const page = `${appOrigin}/ratings-of-my-songs`;
  const [id] = songIds.map(encodeURIComponent);
  return songIds.length === 1 ? `${page}?song=${id}#song-${id}` : page;
}
