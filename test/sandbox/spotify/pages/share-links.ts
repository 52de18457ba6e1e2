/**
 * spotify.link and spotify.app.link: the short addresses that Spotify's apps copy. The real codes are
 * random; here the code is the id of what is shared.
 */
import { Hono } from "hono";
import { albumById, artistById, trackById } from "../../catalogue.ts";
import { html, page } from "../../html.ts";
import type { SpotifyService } from "../service.ts";

/** The first host leads to the second one. */
export function shareRoutes(): Hono {
  return new Hono().get("/:code", (c) => {
    const { code } = c.req.param();
    return c.redirect(new URL(`/spotify/app-link/${code}?si=shared`, c.req.url).href, 307);
  });
}

/** The second host leads programs to the page itself, and browsers to one that opens Spotify's app. */
export function appLinkRoutes(service: SpotifyService): Hono {
  const kindOf = (id: string) => {
    if (trackById.has(id)) return "track";
    if (albumById.has(id)) return "album";
    if (artistById.has(id)) return "artist";
    return service.people.playlists.has(id) ? "playlist" : null;
  };
  return new Hono().get("/:code", (c) => {
    const { code } = c.req.param();
    const kind = kindOf(code);
    if (!kind) return c.html(page("Not found", html`<h1>Page not available</h1>`), 404);
    const path = `/spotify/open/${kind}/${code}?si=shared`;
    return c.req.header("User-Agent")?.startsWith("Mozilla/")
      ? c.html(page("Spotify", html`<h1>Opening Spotify</h1><p><a href="${path}">Go on</a></p>`))
      : c.redirect(new URL(path, c.req.url).href, 307);
  });
}
