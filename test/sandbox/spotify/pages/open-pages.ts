/** open.spotify.com: the pages that `external_urls.spotify` links to. */
import { Hono } from "hono";
import {
  albumById,
  artistById,
  type CatalogueTrack,
  musicianById,
  trackById,
  tracks,
} from "../../catalogue.ts";
import { html, type Markup, page } from "../../html.ts";
import { tracksOf } from "../api/objects.ts";
import type { SpotifyService } from "../service.ts";

export function openRoutes({ people }: SpotifyService): Hono {
  const app = new Hono();

  /** What an address shows: a name, a text below it, and songs. Null if there is nothing. */
  function contentOf(kind: string, id: string) {
    const [track, album, artist] = [trackById.get(id), albumById.get(id), artistById.get(id)];
    const [playlist, musician] = [people.playlists.get(id), musicianById.get(id)];
    if (kind === "track" && track) {
      const on = albumById.get(track.albumId);
      const text = html`${artistLinks(track.artistIds)} · <a href="/spotify/open/album/${on?.id}">${on?.name}</a>
· ${durationText(track)}<br>Short address: /spotify/link/${id}`;
      const cover = on?.cover ? `album-${on.id}` : null;
      return { name: track.name, cover, text, songs: [] };
    }
    if (kind === "album" && album) {
      const text = html`${artistLinks(album.artistIds)} · ${album.releaseDate}`;
      const cover = album.cover ? `album-${id}` : null;
      return { name: album.name, cover, text, songs: tracksOf(album) };
    }
    if (kind === "artist" && artist) {
      const songs = tracks.filter((one) => one.artistIds.includes(id));
      return { name: artist.name, cover: `artist-${id}`, text: "", songs };
    }
    if (kind === "playlist" && playlist) {
      const songs = playlist.items.flatMap((item) => trackById.get(item.trackId) ?? []);
      return { name: playlist.name, cover: `playlist-${id}`, text: "", songs };
    }
    if (kind !== "user" || !musician) return null;
    return { name: musician.displayName, cover: `user-${id}`, text: "", songs: [] };
  }

  app.get("/:kind/:id", (c) => {
    const { kind, id } = c.req.param();
    const shown = contentOf(kind, id);
    if (!shown) return c.html(page("Not found", html`<h1>Page not available</h1>`), 404);
    const { name, cover, text, songs } = shown;
    const picture = cover
      ? html`<img class="cover" src="/spotify/images/${cover}-640" alt="" width="640" height="640">`
      : "";
    return c.html(
      page(name, html`${picture}<h1>${name}</h1><p class="quiet">${text}</p>${trackList(songs)}`),
    );
  });
  return app;
}

function artistLinks(ids: string[]): Markup {
  return html`${ids.map(
    (id, index) =>
      html`${index > 0 ? ", " : ""}<a href="/spotify/open/artist/${id}">${artistById.get(id)?.name}</a>`,
  )}`;
}

function trackList(content: CatalogueTrack[]): Markup {
  return html`<ul class="list">${content.map(
    (track) => html`<li><a class="row" href="/spotify/open/track/${track.id}"><span>${track.name}
<small>${durationText(track)}</small></span></a></li>`,
  )}</ul>`;
}

export function durationText(track: CatalogueTrack): string {
  const seconds = Math.round(track.durationMs / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** spotify.link: the code of a short address is here the id of what is shared. */
export function shareRoutes(): Hono {
  return new Hono().get("/:code", (c) => {
    const { code } = c.req.param();
    return c.redirect(new URL(`/spotify/app-link/${code}?si=shared`, c.req.url).href, 307);
  });
}

/** spotify.app.link leads programs to the page itself, and browsers to one that opens Spotify's app. */
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
