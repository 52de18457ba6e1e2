/** Spotify's search query language, applied to the catalogue. */
import { albumById, artistById, type CatalogueTrack, tracks } from "../../catalogue.ts";

/** A parsed query: the free words, and the value of each field filter. */
interface Query {
  words: string[];
  filters: Map<string, string>;
}

const FIELD = /\b(album|artist|track|year|isrc|genre|upc|tag):/gi;

/** Removes accents and capitals, so that "lo" finds "Lô". */
function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function wordsOf(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}\p{So}]+/u)
    .filter(Boolean);
}

/** A filter's value extends to the next filter: `album:Night Ferry artist:Mara Lind`. */
function parseQuery(text: string): Query {
  const fields = [...text.matchAll(FIELD)];
  const filters = new Map<string, string>();
  for (const [index, field] of fields.entries()) {
    const value = text.slice(field.index + field[0].length, fields[index + 1]?.index);
    filters.set((field[1] ?? "").toLowerCase(), value.trim().replace(/^"|"$/g, ""));
  }
  return { words: wordsOf(text.slice(0, fields[0]?.index)), filters };
}

/** Whether each of the words is the beginning of a word of the text. */
function containsWords(words: string[], text: string): boolean {
  const candidates = wordsOf(text);
  return words.every((word) => candidates.some((candidate) => candidate.startsWith(word)));
}

export function searchTracks(text: string): CatalogueTrack[] {
  const query = parseQuery(text);
  const raw = fold(text).trim();
  const hits: { track: CatalogueTrack; score: number }[] = [];
  for (const track of tracks) {
    const album = albumById.get(track.albumId);
    const artist = track.artistIds.map((id) => artistById.get(id)?.name ?? "").join(" ");
    const fields: Record<string, string> = {
      album: album?.name ?? "",
      artist,
      track: track.name,
      isrc: track.isrc,
    };
    const year = query.filters.get("year");
    if (year !== undefined && !inYears(year, album?.releaseDate ?? "")) continue;
    const filtered = [...query.filters].every(
      ([name, value]) => !(name in fields) || containsWords(wordsOf(value), fields[name] ?? ""),
    );
    if (!filtered || query.filters.has("genre")) continue;
    const name = fold(track.name);
    // A title of only symbols has no words; the query must be the whole title.
    if (query.words.length === 0 && query.filters.size === 0 && name !== raw) continue;
    if (!containsWords(query.words, `${track.name} ${artist} ${fields.album}`)) continue;
    const score =
      (name === raw ? 300 : 0) +
      (name.startsWith(raw) ? 100 : 0) +
      (containsWords(query.words, track.name) ? 60 : 0) +
      (containsWords(query.words, artist) ? 30 : 0) +
      track.popularity / 10;
    hits.push({ track, score });
  }
  return hits.sort((a, b) => b.score - a.score).map(({ track }) => track);
}

/** Whether the name of a playlist, artist or album contains all words of a query. */
export function matchesQuery(text: string, name: string): boolean {
  const { words, filters } = parseQuery(text);
  const all = [...words, ...[...filters.values()].flatMap(wordsOf)];
  return all.length > 0 && containsWords(all, name);
}

/** Whether a date is in a range such as "2016-2018" or "2016". */
function inYears(range: string, releaseDate: string): boolean {
  const [from = "", to = from] = range.split("-");
  const year = Number(releaseDate.slice(0, 4));
  return year >= Number(from) && year <= Number(to);
}
