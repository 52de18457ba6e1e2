/** The longest query that Spotify's search takes, filters included, in UTF-16 code units. */
const maxQueryLength = 250;
/** The longest name in a filter: two of them, with all that stands around them, make a query. */
const maxNameLength = 110;

/** A query for what somebody has typed, which may have filters of Spotify's in it. */
export function typedQuery(text: string): string {
  const typed = text.trim();
  const query = cut(typed, maxQueryLength);
  const quotes = query.split('"').length - 1;
  // A quotation that lost its end.
  return query !== typed && quotes % 2 === 1 ? query.replace(/"(?=[^"]*$)/, "") : query;
}

/**
 * A query for the tracks of an artist, on albums of that name unless it is null. It is empty if neither name
 * has anything to look for.
 */
export function namesQuery({ artist, album }: { artist: string; album: string | null }): string {
  return Object.entries({ album, artist })
    .flatMap(([field, name]) => {
      // What would end the quotation, or begin another filter.
      const words = name?.replace(/["\\:\p{Cc}\s]+/gu, " ").trim() ?? "";
      return words ? [`${field}:"${cut(words, maxNameLength)}"`] : [];
    })
    .join(" ");
}

/** The text up to the last word that fits; of a word that does not, as much as fits. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const [words] = /^.*\S(?=\s)/su.exec(text.slice(0, maxLength + 1)) ?? [];
  return words ?? text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, "");
}
