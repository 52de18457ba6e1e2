/** A sandbox and a caller of the Web API, for the tests of the Spotify stand-in. */
import { type Json, startRig } from "../rig.ts";

export interface Answer {
  status: number;
  /** Parsed JSON, or text; null if empty. */
  body: unknown;
  headers: Headers;
}

export async function startSpotifyRig() {
  const rig = await startRig();
  const { sandbox, control } = rig;
  return {
    ...rig,
    /** An access token; `fields` are those of the action `issueToken`. */
    async tokenFor(musician: string, fields: Json = {}): Promise<string> {
      return String((await control("issueToken", { musician, ...fields })).access_token);
    },
    /** Calls a route such as "GET /v1/me" of the Web API. */
    async call(token: string, route: string, body?: unknown): Promise<Answer> {
      const [method = "", path = ""] = route.split(" ");
      const response = await fetch(`${sandbox.origin}/spotify/api${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get("Content-Type")?.includes("json");
      return {
        status: response.status,
        body: text === "" ? null : isJson ? JSON.parse(text) : text,
        headers: response.headers,
      };
    },
  };
}

export type SpotifyRig = Awaited<ReturnType<typeof startSpotifyRig>>;
