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

export function openRoutes(service: SpotifyService): Hono {
  const app = new Hono();
  const missing = () => page("Not found", html`<h1>Page not available</h1>`);

  app.get("/track/:id", (c) => {
    const track = trackById.get(c.req.param("id"));
    if (!track) return c.html(missing(), 404);
    const album = albumById.get(track.albumId);
    return c.html(
      page(
        track.name,
        html`${album?.cover ? cover("album", album.id) : ""}<h1>${track.name}</h1>
<p>${artistLinks(track.artistIds)}</p>
<p class="quiet">From <a href="/spotify/open/album/${track.albumId}">${album?.name}</a> ·
${album?.releaseDate.slice(0, 4)} · ${durationText(track)}</p>
<p class="quiet">Short address: ${new URL(`/spotify/link/${track.id}`, c.req.url).href}</p>`,
      ),
    );
  });

  app.get("/album/:id", (c) => {
    const album = albumById.get(c.req.param("id"));
    if (!album) return c.html(missing(), 404);
    return c.html(
      page(
        album.name,
        html`${album.cover ? cover("album", album.id) : ""}<h1>${album.name}</h1>
<p>${artistLinks(album.artistIds)} · <span class="quiet">${album.releaseDate}</span></p>
${trackList(tracksOf(album))}`,
      ),
    );
  });

  app.get("/artist/:id", (c) => {
    const artist = artistById.get(c.req.param("id"));
    if (!artist) return c.html(missing(), 404);
    const own = tracks.filter((track) => track.artistIds.includes(artist.id));
    return c.html(
      page(
        artist.name,
        html`${cover("artist", artist.id)}<h1>${artist.name}</h1>${trackList(own)}`,
      ),
    );
  });

  app.get("/user/:id", (c) => {
    const musician = musicianById.get(c.req.param("id"));
    if (!musician) return c.html(missing(), 404);
    return c.html(
      page(
        musician.displayName,
        html`${musician.avatar ? cover("user", musician.id) : ""}<h1>${musician.displayName}</h1>`,
      ),
    );
  });

  app.get("/playlist/:id", (c) => {
    const playlist = service.people.playlists.get(c.req.param("id"));
    if (!playlist) return c.html(missing(), 404);
    const content = playlist.items.flatMap((item) => trackById.get(item.trackId) ?? []);
    return c.html(
      page(
        playlist.name,
        html`${cover("playlist", playlist.id)}<h1>${playlist.name}</h1>
<p class="quiet">A playlist by ${musicianById.get(playlist.owner)?.displayName}</p>${trackList(content)}`,
      ),
    );
  });

  return app;
}

function cover(kind: string, id: string): Markup {
  return html`<img class="cover" src="/spotify/images/${kind}-${id}-640" alt="" width="640" height="640">`;
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

/** The track's duration as m:ss. */
export function durationText(track: CatalogueTrack): string {
  const seconds = Math.round(track.durationMs / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
