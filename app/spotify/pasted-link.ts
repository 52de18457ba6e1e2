import type { PastedLink } from "./spotify";
import { isSpotifyId } from "./track";

/** Hosts of Spotify's own links, each without a slash at the end. */
export interface LinkHosts {
  /** Base address of the pages about songs, albums and artists. */
  openUrl: string;
  /** Base addresses of short share links. */
  shareUrls: string[];
}

/** People may paste Spotify's own links on any installation. */
const vendorOpenUrl = "https://open.spotify.com";

/**
 * Reads a Spotify link, URI or short share address, alone or in a text that was copied with it; null for
 * what is no link. Of a short address it keeps only the code and puts that behind a known host, so that
 * following it asks nobody else.
 */
export function readPastedLink(text: string, hosts: LinkHosts): PastedLink | null {
  const uri = /^spotify:(?:user:[^:]+:)?([a-z]+):(\w+)$/i.exec(text.trim());
  if (uri) return entity(uri[1], uri[2]);
  const url = webAddress(text, hosts);
  if (!url) return null;
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

/** The first address in a text. One without `https://` counts if it begins with a host of Spotify's. */
function webAddress(text: string, { openUrl, shareUrls }: LinkHosts): URL | null {
  const known = [vendorOpenUrl, openUrl, ...shareUrls].map((url) => new URL(url).host);
  const bare = text.trim();
  const address = known.some((host) => bare.toLowerCase().startsWith(`${host}/`))
    ? `https://${bare}`
    : /https?:\/\/\S+/i.exec(bare)?.[0];
  return address && URL.canParse(address) ? new URL(address) : null;
}

/** The part of an address behind the base; null if it leads elsewhere. */
function pathAfter(base: string, url: URL): string | null {
  const { host, pathname } = new URL(`${base}/`);
  return url.host === host && url.pathname.startsWith(pathname)
    ? url.pathname.slice(pathname.length)
    : null;
}
