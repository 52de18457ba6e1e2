import { type ReadLink, SpotifyError } from "./spotify";
import { isSpotifyId } from "./track";

/** spotify.link, spotify.app.link, and one to spare. */
const maxHops = 3;
const timeoutMs = 5000;

/**
 * Reads a pasted text as a link; null for what is no link. Of a short address it reads only the redirect.
 * @throws SpotifyError if a short address cannot be followed: with 404, or 0, 429 or 5xx if that may change.
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

/** Addresses without a slash at the end. */
interface LinkHosts {
  openUrl: string;
  shareUrls: string[];
}

type PastedLink = ReadLink | { kind: "share"; url: string };

/** People may paste Spotify's own links also where `openUrl` is another. */
const vendorOpenUrl = "https://open.spotify.com";

/** Puts the code of a short address behind a known host, so that following it asks nobody else. */
export function readPastedLink(text: string, hosts: LinkHosts): PastedLink | null {
  const seen = text.replace(/\p{Default_Ignorable_Code_Point}|\p{Cf}/gu, "");
  const links = webAddresses(seen, hosts).map((url) => readAddress(url, hosts));
  const uri = /(?<![\w:])spotify:(?:\/\/)?(?:user[:/][^:/\s]+[:/])?([a-z]+)[:/](\w+)/i.exec(seen);
  if (links.length === 0 && uri) return entity(uri[1], uri[2]);
  return links.find(({ kind }) => kind !== "foreign") ?? links[0] ?? null;
}

function readAddress(url: URL, hosts: LinkHosts): PastedLink {
  for (const base of [...hosts.shareUrls, `${hosts.openUrl}/s`]) {
    const [code = ""] = /^[\w-]+/.exec(pathAfter(base, url) ?? "") ?? [];
    if (code !== "") return { kind: "share", url: `${base}/${code}` };
  }
  for (const base of [hosts.openUrl, vendorOpenUrl]) {
    const path = pathAfter(base, url);
    if (path === null) continue;
    const [, what, id] = /^(?:intl-[\w-]+\/)?(?:embed\/)?([a-z]+)\/(\w+)/i.exec(path) ?? [];
    return entity(what, id);
  }
  return { kind: "foreign" };
}

function entity(what = "page", id = ""): PastedLink {
  const kind = what.toLowerCase();
  if (kind !== "track" && kind !== "album" && kind !== "artist")
    return { kind: "other", what: kind };
  return isSpotifyId(id) ? { kind, id } : { kind: "foreign" };
}

/** The addresses in a text. One without `https://` counts if it begins with a host of Spotify's. */
function webAddresses(text: string, { openUrl, shareUrls }: LinkHosts): URL[] {
  const known = [vendorOpenUrl, openUrl, ...shareUrls].map((url) => new URL(url).host);
  const anyKnown = known.join("|").replaceAll(".", "\\.");
  const found = text.match(new RegExp(`https?://\\S+|(?<![\\w.@/-])(?:${anyKnown})/\\S*`, "gi"));
  return (found ?? []).flatMap((address) => {
    const absolute = /^https?:/i.test(address) ? address : `https://${address}`;
    return URL.canParse(absolute) ? [new URL(absolute)] : [];
  });
}

function pathAfter(base: string, url: URL): string | null {
  const { host, pathname } = new URL(`${base}/`);
  return url.host === host && url.pathname.startsWith(pathname)
    ? url.pathname.slice(pathname.length)
    : null;
}
