/** The client against the Spotify stand-in, on behalf of one musician. */
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { LegacyCalls } from "~/sources/spotify/client/legacy-fallback";
import { createRequestState } from "~/sources/spotify/client/requests";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { createSpotify } from "~/sources/spotify/client/web-api.server";
import { type Sandbox, startSandbox } from "../../../../sandbox/server.ts";
import { requestProblems, type WebApiCall } from "../../../../support/spotify/web-api.ts";

const client = "sandbox-client-a";
const caller = { appOrigin: "https://fivefold.example", contactEmail: "help@fivefold.example" };
/** The scopes of the login, and those for playlists. */
const standardScope =
  "user-read-currently-playing user-read-playback-state user-modify-playback-state " +
  "user-library-read user-library-modify streaming user-read-email user-read-private " +
  "playlist-read-private playlist-modify-public playlist-modify-private";

interface LoggedRequest extends WebApiCall {
  status: number;
  responseBody: unknown;
}

let time = 0;
/** A clock that is a second later whenever it is read, so that no request waits for its turn. */
const now = () => (time += 1000);

/** Starts a stand-in for the tests of a file, which must send it only what Spotify knows. */
export function againstSandbox(musician: string) {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0 });
  });
  afterAll(() => sandbox.close());
  afterEach(async () => {
    for (const request of await requests()) expect(requestProblems(request)).toEqual([]);
  });

  async function control(action: string, fields: Record<string, unknown> = {}) {
    const response = await fetch(`${sandbox.origin}/control`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ action, musician, ...fields }),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Record<string, unknown>;
  }

  async function requests(): Promise<LoggedRequest[]> {
    const response = await fetch(`${sandbox.origin}/control/requests?musician=${musician}`);
    return ((await response.json()) as { requests: LoggedRequest[] }).requests;
  }

  /** A client of its own request state, so that no call is answered from the cache. */
  function createFor(clientId: string, accessToken: string, legacyCalls: LegacyCalls): Spotify {
    return createSpotify({
      apiUrl: `${sandbox.origin}/spotify/api`,
      caller,
      openUrl: `${sandbox.origin}/spotify/open`,
      imageOrigins: sandbox.origin,
      clientId,
      accessToken: async () => accessToken,
      requestState: createRequestState(),
      legacyCalls,
      now,
    });
  }

  return {
    control,
    requests,
    createFor,
    origin: () => sandbox.origin,
    /** Each request as "METHOD route status", without ids. */
    async routes(): Promise<string[]> {
      return (await requests()).map(({ method, path, status }) => {
        const ids = /(?<=(users|playlists|albums)\/)[^/]+/;
        return `${method} ${path.replace("/v1/", "").replace(ids, ":id")} ${status}`;
      });
    },
    /**
     * Resets the stand-in and returns a function that creates the musician's client for an app in that
     * mode.
     */
    async start(mode = "extended", legacyCalls: LegacyCalls = new Map(), scope = standardScope) {
      await control("reset", { musician: undefined });
      await control("mode", { client, mode });
      const { access_token } = await control("issueToken", { client, scope });
      return (): Spotify => createFor(client, String(access_token), legacyCalls);
    },
  };
}
