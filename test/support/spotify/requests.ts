/**
 * What the product asks of Spotify for one musician. A test in workerd checks that the Worker asks exactly
 * this; one in plain Node checks it against web-api.ts.
 */
import { trackById } from "../../sandbox/catalogue.ts";
import { trackOf } from "../catalogue.ts";

export const musician = "kwame-ansah-reid";
export const searched = "Søren & the “Night” 100%";
export const submitted = trackOf(musician, 0);
export const played = trackOf("eino-kallas", 4);
/** Where the track that is submitted stands in the catalogue. */
export const { albumId = "", artistIds: [artistId = ""] = [] } =
  trackById.get(submitted.trackId) ?? {};
export const callbackPath = "/auth/spotify/callback";

export interface ExpectedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
}

export const apiRequests: ExpectedRequest[] = [
  { method: "GET", path: "/v1/me", query: {}, body: null },
  {
    method: "GET",
    path: "/v1/search",
    query: { type: "track", q: searched, limit: "10" },
    body: null,
  },
  { method: "GET", path: `/v1/albums/${albumId}`, query: {}, body: null },
  { method: "GET", path: `/v1/albums/${albumId}/tracks`, query: { limit: "50" }, body: null },
  { method: "GET", path: `/v1/artists/${artistId}`, query: {}, body: null },
  {
    method: "GET",
    path: "/v1/search",
    query: { type: "track", q: `artist:"${submitted.artists[0]}"`, limit: "10" },
    body: null,
  },
  { method: "GET", path: `/v1/tracks/${submitted.trackId}`, query: {}, body: null },
  { method: "PUT", path: "/v1/me/player/pause", query: {}, body: null },
  {
    method: "PUT",
    path: "/v1/me/player/play",
    query: {},
    body: { uris: [`spotify:track:${played.trackId}`], position_ms: 0 },
  },
  {
    method: "GET",
    path: "/v1/me/player",
    query: { additional_types: "track,episode" },
    body: null,
  },
  {
    method: "GET",
    path: "/v1/me/library/contains",
    query: { uris: `spotify:track:${played.trackId}` },
    body: null,
  },
  {
    method: "PUT",
    path: "/v1/me/library",
    query: { uris: `spotify:track:${played.trackId}` },
    body: null,
  },
  {
    method: "DELETE",
    path: "/v1/me/library",
    query: { uris: `spotify:track:${played.trackId}` },
    body: null,
  },
];
