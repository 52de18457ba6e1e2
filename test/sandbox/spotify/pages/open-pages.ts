/** open.spotify.com: the pages that `external_urls.spotify` links to. */
import { Hono } from "hono";
import { albumById, artistById, artistsOf, musicianById, trackById } from "../../catalogue.ts";
import { html, page } from "../../html.ts";
import type { SpotifyService } from "../service.ts";

const notFound = page("Not found", html`<h1>Page not available</h1>`);

export function openRoutes({ people }: SpotifyService): Hono {
  /** What an address shows: a name, and a text below it. Undefined if there is nothing. */
  function contentOf(kind: string, id: string): { name: string; text?: string } | undefined {
    const track = trackById.get(id);
    if (kind === "track" && track) {
      return { name: track.name, text: `${artistsOf(track)} · short: /spotify/link/${id}` };
    }
    if (kind === "playlist") return people.playlists.get(id);
    if (kind === "user") return { name: musicianById.get(id)?.displayName ?? id };
    return kind === "album" ? albumById.get(id) : artistById.get(id);
  }
  return new Hono().get("/:kind/:id", (c) => {
    const { kind, id } = c.req.param();
    const shown = contentOf(kind, id);
    if (!shown) return c.html(notFound, 404);
    const picture = `/spotify/images/${kind === "track" ? `album-${trackById.get(id)?.albumId}` : `${kind}-${id}`}`;
    const { name, text } = shown;
    return c.html(
      page(
        name,
        html`<img class="cover" src="${picture}-640" alt=""><h1>${name}</h1><p class="quiet">${text}</p>`,
      ),
    );
  });
}

/** spotify.link: the code of a short address is here the id of what is shared. */
export function shareRoutes(): Hono {
  return new Hono().get("/:code", (c) => {
    const { code } = c.req.param();
    return c.redirect(new URL(`/spotify/app-link/${code}?si=shared`, c.req.url).href, 307);
  });
}

/** spotify.app.link leads programs to the page itself, and browsers to one that opens Spotify's app. */
export function appLinkRoutes({ people }: SpotifyService): Hono {
  const kinds = {
    track: trackById,
    album: albumById,
    artist: artistById,
    playlist: people.playlists,
  };
  return new Hono().get("/:code", (c) => {
    const { code } = c.req.param();
    const kind = Object.entries(kinds).find(([, known]) => known.has(code))?.[0];
    if (!kind) return c.html(notFound, 404);
    const path = `/spotify/open/${kind}/${code}?si=shared`;
    return c.req.header("User-Agent")?.startsWith("Mozilla/")
      ? c.html(page("Spotify", html`<h1>Opening Spotify</h1><p><a href="${path}">Go on</a></p>`))
      : c.redirect(new URL(path, c.req.url).href, 307);
  });
}
