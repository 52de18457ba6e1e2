/** The search's query language over the invented catalogue. */
import { albumById, artistById, type CatalogueTrack, tracks } from "../../catalogue.ts";

/** A query taken apart: free words, and what each field filter asks for. */
export interface Query {
  words: string[];
  filters: Map<string, string>;
}

const FIELD = /\b(album|artist|track|year|isrc|genre|upc|tag):/gi;

/** Without accents and capitals, so that "lo" finds "Lô". */
export function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function wordsOf(text: string): string[] {
  return folded(text)
    .split(/[^\p{L}\p{N}\p{So}]+/u)
    .filter(Boolean);
}

/** A filter's value reaches to the next filter: `album:Night Ferry artist:Mara Lind`. */
export function parseQuery(text: string): Query {
  const marks = [...text.matchAll(FIELD)];
  const filters = new Map<string, string>();
  for (const [index, mark] of marks.entries()) {
    const value = text.slice(mark.index + mark[0].length, marks[index + 1]?.index);
    filters.set((mark[1] ?? "").toLowerCase(), value.trim().replace(/^"|"$/g, ""));
  }
  return { words: wordsOf(text.slice(0, marks[0]?.index)), filters };
}

/** Every word begins one of the text's words. */
function matches(words: string[], text: string): boolean {
  const have = wordsOf(text);
  return words.every((word) => have.some((candidate) => candidate.startsWith(word)));
}

export function searchTracks(text: string): CatalogueTrack[] {
  const query = parseQuery(text);
  const raw = folded(text).trim();
  const found: { track: CatalogueTrack; score: number }[] = [];
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
      ([name, value]) => !(name in fields) || matches(wordsOf(value), fields[name] ?? ""),
    );
    if (!filtered || query.filters.has("genre")) continue;
    const name = folded(track.name);
    // A title of signs alone has no words; it is found by itself.
    if (query.words.length === 0 && query.filters.size === 0 && name !== raw) continue;
    if (!matches(query.words, `${track.name} ${artist} ${fields.album}`)) continue;
    const score =
      (name === raw ? 300 : 0) +
      (name.startsWith(raw) ? 100 : 0) +
      (matches(query.words, track.name) ? 60 : 0) +
      (matches(query.words, artist) ? 30 : 0) +
      track.popularity / 10;
    found.push({ track, score });
  }
  return found.sort((a, b) => b.score - a.score).map(({ track }) => track);
}

/** Whether a text holds all of a query's words, for playlists, artists and albums. */
export function found(text: string, name: string): boolean {
  const { words, filters } = parseQuery(text);
  const all = [...words, ...[...filters.values()].flatMap(wordsOf)];
  return all.length > 0 && matches(all, name);
}

function inYears(range: string, releaseDate: string): boolean {
  const [from = "", to = from] = range.split("-");
  const year = Number(releaseDate.slice(0, 4));
  return year >= Number(from) && year <= Number(to);
}
