/** The search for tracks, in Spotify's query language. */
import { Hono } from "hono";
import { albumById, artistsOf, type CatalogueTrack, tracks } from "../../catalogue.ts";
import { type ApiEnv, apiError, pageOf } from "./call.ts";
import { apiUrl, fullTrack, paging } from "./objects.ts";

export function searchRoutes(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.get("/search", (c) => {
    const { shape, mode } = c.get("caller");
    const query = c.req.query("q") ?? "";
    if (query.trim() === "" || query.length > 250 || c.req.query("type") !== "track") {
      return apiError(c, 400, "Invalid search");
    }
    const slice = pageOf(
      c,
      mode === "development" ? { maximum: 10, standard: 5 } : { maximum: 50, standard: 20 },
    );
    if (slice instanceof Response) return slice;
    const matches = searchTracks(query).map((track) => fullTrack(shape, track));
    const url = apiUrl(shape, `search?${new URLSearchParams({ query, type: "track" })}`);
    return c.json({ tracks: paging(url, matches, slice) });
  });
  return app;
}

/** Removes accents and capitals, so that "lo" finds "Lô". */
function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function wordsOf(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}\p{So}]+/u)
    .filter(Boolean);
}

function containsWords(words: string[], text: string): boolean {
  const candidates = wordsOf(text);
  return words.every((word) => candidates.some((candidate) => candidate.startsWith(word)));
}

/** A filter's value extends to the next filter: `album:Night Ferry artist:Mara Lind`. */
function searchTracks(query: string): CatalogueTrack[] {
  const [text = "", ...parts] = query.split(/\b(album|artist|track|isrc):/i);
  const words = wordsOf(text);
  const raw = fold(query).trim();
  const hits: { track: CatalogueTrack; score: number }[] = [];
  for (const track of tracks) {
    const fields: Record<string, string> = {
      album: albumById.get(track.albumId)?.name ?? "",
      artist: artistsOf(track).join(" "),
      track: track.name,
      isrc: track.isrc,
    };
    const isFiltered = parts.some(
      (value, at) =>
        at % 2 === 1 &&
        !containsWords(wordsOf(value), fields[String(parts[at - 1]).toLowerCase()] ?? ""),
    );
    const name = fold(track.name);
    // A title of only symbols has no words; the query must be the whole title.
    const isSymbol = words.length === 0 && parts.length === 0 && name !== raw;
    const all = `${track.name} ${fields.artist} ${fields.album}`;
    if (isFiltered || isSymbol || !containsWords(words, all)) continue;
    const score =
      (name === raw ? 300 : 0) +
      (name.startsWith(raw) ? 100 : 0) +
      (containsWords(words, track.name) ? 60 : 0) +
      (containsWords(words, fields.artist ?? "") ? 30 : 0) +
      track.popularity / 10;
    hits.push({ track, score });
  }
  return hits.sort((a, b) => b.score - a.score).map(({ track }) => track);
}
