/**
 * The names that Spotify's description gives to what the product sends, so that requests are checked on
 * machines without the description too. Where it is at hand, a test compares these facts with it.
 */
import type { ContractRequest } from "./contract.ts";

/** The names of one kind of request; a "!" follows those that it must have. */
interface RequestFacts {
  query?: string[];
  body?: string[];
}

const list = { query: ["limit", "offset"] };
const items = { query: ["fields", "limit", "offset"] };
const newPlaylist = { body: ["name!", "public"] };
const newItems = { body: ["uris"] };

/** By method and path, with the names of path parameters from the description. */
export const requestFacts: Record<string, RequestFacts> = {
  "GET /me": {},
  "GET /search": { query: ["q!", "type!", "limit"] },
  "GET /tracks/{id}": {},
  "GET /albums/{id}": {},
  "GET /albums/{id}/tracks": { query: ["limit"] },
  "GET /artists/{id}": {},
  "GET /me/player": {},
  "GET /me/player/currently-playing": {},
  "PUT /me/player/play": { query: ["device_id"], body: ["uris", "position_ms"] },
  "PUT /me/player/pause": { query: ["device_id"] },
  "PUT /me/library": { query: ["uris!"] },
  "PUT /me/tracks": { body: ["ids!"] },
  "GET /me/playlists": list,
  "GET /users/{user_id}/playlists": list,
  "POST /me/playlists": newPlaylist,
  "POST /users/{user_id}/playlists": newPlaylist,
  "GET /playlists/{playlist_id}": { query: ["fields"] },
  "GET /playlists/{playlist_id}/items": items,
  "GET /playlists/{playlist_id}/tracks": items,
  "POST /playlists/{playlist_id}/items": newItems,
  "POST /playlists/{playlist_id}/tracks": newItems,
};

/** The unknown and missing names of a request; empty if there are none. */
export function factProblems({ method, path, query, body }: ContractRequest): string[] {
  const found = Object.entries(requestFacts).find(([route]) => isRoute(route, method, path));
  if (!found) return [`no facts about ${method} ${path}`];
  const [, facts] = found;
  const fields = Object.keys((body ?? {}) as object);
  return [
    ...nameProblems("query", Object.keys(query), facts.query),
    ...nameProblems("body", fields, facts.body),
  ];
}

function isRoute(route: string, method: string, path: string): boolean {
  const pattern = route.replace(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${pattern}$`).test(`${method} ${path.replace(/^\/v1(?=\/)/, "")}`);
}

function nameProblems(where: string, names: string[], known: string[] = []): string[] {
  const unknown = names.filter((name) => !known.includes(name) && !known.includes(`${name}!`));
  const missing = known.filter((name) => name.endsWith("!") && !names.includes(name.slice(0, -1)));
  return [
    ...unknown.map((name) => `${where} ${name}: unknown`),
    ...missing.map((name) => `${where} ${name.slice(0, -1)}: missing`),
  ];
}
