import { type LinkHosts, readPastedLink } from "./pasted-link";
import { type ReadLink, SpotifyError } from "./spotify";

/** Maximum number of redirects of a short address: spotify.link, spotify.app.link, one to spare. */
const maxHops = 3;
/** Time limit for all of them together, in milliseconds. */
const timeoutMs = 5000;

/**
 * Reads a pasted text as a link, and follows a short share address to its target. It asks only the hosts of
 * short addresses, and of their answers it reads only the redirect.
 * @returns null for what is no link.
 * @throws SpotifyError if a short address cannot be followed to a page of Spotify's: with status 0, 429 or 5xx
 *   if that may change, else with 404.
 */
export async function readLink(
  text: string,
  { fetch, ...hosts }: LinkHosts & { fetch: typeof globalThis.fetch },
): Promise<ReadLink | null> {
  const signal = AbortSignal.timeout(timeoutMs);
  let link = readPastedLink(text, hosts);
  for (let hop = 0; link?.kind === "share"; hop += 1) {
    if (hop === maxHops) throw notFollowed(404);
    const { url } = link;
    const next = await locationOf(url, { fetch, signal });
    const target = next === null ? null : URL.parse(next, url);
    link = target && readPastedLink(target.href, hosts);
    if (!link || link.kind === "foreign") throw notFollowed(404);
  }
  return link;
}

function notFollowed(status: number): SpotifyError {
  return new SpotifyError(status, "A short address could not be followed");
}

/** Target of an address's redirect; null if there is none. */
async function locationOf(
  url: string,
  { fetch, signal }: { fetch: typeof globalThis.fetch; signal: AbortSignal },
): Promise<string | null> {
  let response: Response;
  try {
    response = await fetch(url, { redirect: "manual", signal });
    await response.body?.cancel();
  } catch {
    throw notFollowed(0);
  }
  if (response.status >= 500 || response.status === 429) throw notFollowed(response.status);
  return response.headers.get("Location");
}
