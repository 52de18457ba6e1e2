/** The Spotify app on a musician's phone, as a page. Only the sound needs the page to stay open. */
import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { albumById, artistsOf, musicians, trackById, tracks } from "../../catalogue.ts";
import { html, type Markup, page } from "../../html.ts";
import { browserScript } from "../browser-script.ts";
import { appDeviceId, openApp, type Person, playOther } from "../people.ts";
import {
  activeDevice,
  currentTrack,
  pause,
  position,
  removeDevice,
  resume,
  start,
  transfer,
} from "../playback.ts";
import type { SpotifyService } from "../service.ts";
import { durationText } from "./open-pages.ts";

const STYLE = `
.now { background: var(--raised); border-radius: 8px; padding: 1rem; margin: 1rem 0; }
.now img { width: 100%; height: auto; max-width: 24rem; margin: 0 auto; border-radius: 8px; display: block; background: var(--ground); }
.now h2 { color: inherit; font-size: 1.25rem; margin: .75rem 0 0; overflow-wrap: anywhere; }
progress { width: 100%; height: .5rem; margin-top: .75rem; accent-color: var(--accent); }
.times { display: flex; justify-content: space-between; font-variant-numeric: tabular-nums; }
.keys { display: flex; gap: .75rem; margin-top: .75rem; flex-wrap: wrap; } .keys button { flex: 1 1 8rem; }
.list button.row { width: 100%; text-align: left; border-radius: 0; background: none; color: inherit;
  font-weight: 400; justify-content: flex-start; } .list button.row:hover { background: var(--raised); }
`;

export function ownAppRoutes(service: SpotifyService): Hono {
  const app = new Hono();

  app.get("/", (c) => c.html(chooser()));
  app.get("/own-app.js", () => browserScript("own-app.js"));

  app.get("/:musician", (c) => {
    const person = service.people.get(c.req.param("musician"));
    return person ? c.html(appPage(person)) : c.notFound();
  });

  app.get("/:musician/events", (c) => {
    const person = service.people.get(c.req.param("musician"));
    if (!person) return c.notFound();
    return streamSSE(c, async (stream) => {
      const sendState = () => void stream.writeSSE({ data: JSON.stringify(appState(person)) });
      person.playback.listeners.add(sendState);
      sendState();
      await new Promise<void>((resolve) => stream.onAbort(resolve));
      person.playback.listeners.delete(sendState);
    });
  });

  app.post("/:musician/:command", (c) => {
    const person = service.people.get(c.req.param("musician"));
    if (!person) return c.notFound();
    run(person, c.req.param("command"), c.req.query("track") ?? "");
    return c.json(appState(person));
  });

  return app;
}

function run(person: Person, command: string, trackId: string): void {
  const { playback } = person;
  if (command === "open") openApp(person, true);
  else if (command === "close") removeDevice(playback, appDeviceId(person));
  else if (command === "pause") pause(playback);
  else if (command === "resume") resume(playback);
  else if (command === "here") transfer(playback, openApp(person, false), false);
  else if (command === "other") playOther(person);
  else if (trackById.has(trackId)) start(playback, openApp(person, false), trackId);
}

function appState(person: Person): Record<string, unknown> {
  const { playback } = person;
  const own = appDeviceId(person);
  const active = activeDevice(playback);
  const track = currentTrack(playback)?.playing;
  return {
    open: playback.devices.has(own),
    here: playback.activeId === own,
    device: active?.name ?? null,
    playing: playback.playing,
    positionMs: position(playback),
    track: track
      ? {
          id: track.id,
          name: track.name,
          artists: artistsOf(track).join(", "),
          durationMs: track.durationMs,
          image: albumById.get(track.albumId)?.cover
            ? `/spotify/images/album-${track.albumId}-640`
            : null,
        }
      : null,
  };
}

function chooser(): Markup {
  return page(
    "Your Spotify app",
    html`<h1>Whose phone is this?</h1>
<p class="quiet">This page acts as the Spotify app on a musician's own phone.</p>
<ul class="list">${musicians.map(
      (musician) => html`<li><a class="row" href="/spotify/app/${musician.id}">
<img src="/spotify/images/user-${musician.id}-64" alt="" loading="lazy">
<span>${musician.displayName}<small>${musician.demo ?? musician.id}</small></span></a></li>`,
    )}</ul>`,
  );
}

function appPage({ musician }: Person): Markup {
  const own = musician.trackIds.flatMap((id) => trackById.get(id) ?? []);
  const offset = musicians.indexOf(musician) * 7;
  const others = Array.from(
    { length: 12 },
    (_, i) => tracks[(offset + 50 + i * 23) % tracks.length],
  );
  return page(
    `${musician.displayName}'s Spotify app`,
    html`<p><a href="/spotify/app">Another musician</a></p>
<h1>${musician.displayName}'s phone</h1>
<p id="status" role="status">The app needs JavaScript.</p>
<div class="keys"><button type="button" data-command="open" hidden>Open the app</button>
<button type="button" data-command="close" class="plain" hidden>Close the app</button></div>
<section class="now" id="now" aria-label="Now playing" hidden>
<img id="image" alt="" width="640" height="640"><h2 id="name"></h2><div id="artists" class="quiet"></div>
<progress id="progress" max="1" value="0" aria-label="Position in the song"></progress>
<div class="times quiet"><span id="elapsed">0:00</span><span id="total">0:00</span></div>
<div class="keys"><button type="button" data-command="pause">Pause</button>
<button type="button" data-command="resume">Play</button>
<button type="button" data-command="other" class="plain">Another song</button>
<button type="button" data-command="here" class="plain">Listen on this phone</button></div>
</section>
<div id="songs" hidden><h2>Play a song</h2><ul class="list">${[...own, ...others].map((track) =>
      track
        ? html`<li><button type="button" class="row" data-command="play?track=${track.id}">
<span>${track.name}<small>${artistsOf(track)[0]} · ${durationText(track)}</small></span>
</button></li>`
        : "",
    )}</ul></div>
<script type="module" src="/spotify/app/own-app.js"></script>`,
    { style: STYLE },
  );
}
