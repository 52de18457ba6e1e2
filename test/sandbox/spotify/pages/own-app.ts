/** The Spotify app on a musician's phone, as a page without script: each press loads it anew. */
import { Hono } from "hono";
import { artistsOf, musicians, trackById } from "../../catalogue.ts";
import { html, type Markup, page } from "../../html.ts";
import { appDeviceId, openApp, type Person, playOther } from "../people.ts";
import { activeDevice, currentTrack, pause, removeDevice, resume, start } from "../playback.ts";
import type { SpotifyService } from "../service.ts";

const commands: Record<string, (person: Person) => unknown> = {
  "Open the app": (person) => openApp(person, true),
  "Close the app": (person) => removeDevice(person.playback, appDeviceId(person)),
  Play: ({ playback }) => resume(playback),
  Pause: ({ playback }) => pause(playback),
  "Another song": playOther,
};

export function ownAppRoutes({ people }: SpotifyService): Hono {
  const app = new Hono();
  app.get("/", (c) => c.html(chooser()));
  app.get("/:musician", (c) => {
    const person = people.get(c.req.param("musician"));
    return person ? c.html(appPage(person)) : c.notFound();
  });
  app.post("/:musician", async (c) => {
    const person = people.get(c.req.param("musician"));
    if (!person) return c.notFound();
    const form = new URLSearchParams(await c.req.text());
    const trackId = form.get("track") ?? "";
    if (trackById.has(trackId)) start(person.playback, openApp(person, false), trackId);
    else commands[form.get("command") ?? ""]?.(person);
    return c.redirect(c.req.path, 303);
  });
  return app;
}

function chooser(): Markup {
  return page(
    "Your Spotify app",
    html`<h1>Whose phone is this?</h1>
<ul class="list">${musicians.map(
      ({ id, displayName, demo }) => html`<li><a class="row" href="/spotify/app/${id}">
<span>${displayName}<small>${demo ?? id}</small></span></a></li>`,
    )}</ul>`,
  );
}

function appPage(person: Person): Markup {
  const { musician, playback } = person;
  const track = currentTrack(playback)?.playing;
  const device = activeDevice(playback)?.name ?? "no device";
  const state = track
    ? `${track.name} by ${artistsOf(track)}, ${playback.playing ? "playing" : "paused"} on ${device}`
    : `Nothing plays; ${playback.devices.has(appDeviceId(person)) ? "the app is open" : "the app is closed"}`;
  return page(
    `${musician.displayName}'s Spotify app`,
    html`<h1>${musician.displayName}'s phone</h1>
<p role="status">${state}. <a href="">Look again</a></p>
<form method="post">
${Object.keys(commands).map((name) => html`<button name="command" value="${name}" class="plain">${name}</button> `)}
<h2>Play a song</h2>
${musician.trackIds.map((id) => html`<p><button name="track" value="${id}">${trackById.get(id)?.name}</button></p>`)}
</form>`,
  );
}
