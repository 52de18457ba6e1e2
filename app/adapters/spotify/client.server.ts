import { z } from "zod";
import { answers } from "./answers";
import { parseJson, reach } from "./http";
import { type Spotify, SpotifyError } from "./spotify";

/** What a rate-limited call waits where Spotify does not say (spec section 9), in seconds. */
const defaultRetrySeconds = 5;
/** Beyond this the user is told instead of kept waiting, in seconds. */
const longestRetrySeconds = 5;

interface Call {
  method?: "GET" | "PUT" | "POST";
  query?: Record<string, string>;
  body?: unknown;
  /** Whether to wait and try once more when Spotify limits; off where the caller has another way. */
  patient?: boolean;
}

/**
 * Spotify's Web API over HTTP.
 * @param accessToken gives a token, another one where Spotify has refused the last; may throw
 *   SpotifyLoginEnded.
 */
export function createSpotify(
  apiUrl: string,
  accessToken: (refused: boolean) => Promise<string>,
): Spotify {
  async function call(path: string, options: Call = {}): Promise<unknown> {
    const { method = "GET", query, body, patient = true } = options;
    const url = new URL(`${apiUrl}${path}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const headers = new Headers({ Authorization: `Bearer ${await accessToken(false)}` });
    if (body) headers.set("Content-Type", "application/json");
    const request = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    let response = await reach(url, request);
    if (response.status === 401) {
      await response.body?.cancel();
      headers.set("Authorization", `Bearer ${await accessToken(true)}`);
      response = await reach(url, request);
    }
    const wait = retrySeconds(response);
    if (patient && wait !== null && wait <= longestRetrySeconds) {
      await response.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, wait * 1000));
      response = await reach(url, request);
    }
    return readAnswer(response);
  }

  return {
    async searchTracks(term) {
      const query = { type: "track", q: term, limit: "10" };
      return read(answers.search, await call("/v1/search", { query }));
    },
    async track(trackId) {
      try {
        return read(answers.track, await call(`/v1/tracks/${encodeURIComponent(trackId)}`));
      } catch (error) {
        if (error instanceof SpotifyError && [400, 404].includes(error.status)) return null;
        throw error;
      }
    },
    async playback() {
      const answer = await call("/v1/me/player", { patient: false });
      return answer === null ? null : read(answers.playback, answer);
    },
    async play(trackId) {
      const body = { uris: [`spotify:track:${trackId}`], position_ms: 0 };
      await call("/v1/me/player/play", { method: "PUT", body });
    },
  };
}

/** Seconds a rate-limited answer asks to wait, or null where it is not one. */
function retrySeconds(response: Response): number | null {
  if (response.status !== 429) return null;
  const seconds = Number(response.headers.get("Retry-After"));
  return Number.isFinite(seconds) && seconds > 0 ? seconds : defaultRetrySeconds;
}

/**
 * An answer's JSON, null where it has no body, undefined where the body is no JSON. Bodies are read
 * as text first: some 403s are plain text.
 */
async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text().catch(() => {
    throw new SpotifyError(0, "Spotify's answer broke off");
  });
  if (response.ok && text === "") return null;
  const json = parseJson(text) ?? undefined;
  if (response.ok) return json;
  const fault = z
    .object({ error: z.object({ message: z.string(), reason: z.string().optional() }) })
    .safeParse(json);
  throw new SpotifyError(
    response.status,
    fault.data?.error.message ?? text.slice(0, 200),
    fault.data?.error.reason ?? null,
  );
}

function read<T>(reader: z.ZodType<T>, answer: unknown): T {
  const parsed = reader.safeParse(answer);
  if (!parsed.success) throw new SpotifyError(502, "Spotify's answer could not be read");
  return parsed.data;
}
