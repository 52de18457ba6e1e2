/**
 * All that the product asks of Spotify for one musician, from the login to the second hour. That
 * the Worker sends these and no others is tested in workerd; that they are as Spotify describes
 * them, in plain Node, where the description can be read.
 */
import { trackOf } from "../catalogue.ts";

export const musician = "kwame-ansah-reid";
export const searched = "Søren & the “Night” 100%";
/** What the musician submits, and what they play. */
export const submitted = trackOf(musician, 0);
export const played = trackOf("eino-kallas", 4);
export const callbackPath = "/auth/spotify/callback";

/** A call as the Worker makes it. */
export interface ExpectedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
}

/** The Web API's part, in the order of a visit. */
export const apiRequests: ExpectedRequest[] = [
  { method: "GET", path: "/v1/me", query: {}, body: null },
  {
    method: "GET",
    path: "/v1/search",
    query: { type: "track", q: searched, limit: "10" },
    body: null,
  },
  { method: "GET", path: `/v1/tracks/${submitted.trackId}`, query: {}, body: null },
  {
    method: "PUT",
    path: "/v1/me/player/play",
    query: {},
    body: { uris: [`spotify:track:${played.trackId}`], position_ms: 0 },
  },
  { method: "GET", path: "/v1/me/player", query: {}, body: null },
];
