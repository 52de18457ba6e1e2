/** The player routes: reading the playback state and controlling devices. */
import { Hono } from "hono";
import { trackById } from "../../catalogue.ts";
import {
  activeDevice,
  currentTrack,
  type Device,
  type Playback,
  pause,
  position,
  resume,
  start,
  transfer,
} from "../playback.ts";
import { type ApiContext, type ApiEnv, apiError, jsonBody, missingScope } from "./call.ts";
import { fullTrack, hides, podcastEpisode, type Shape } from "./objects.ts";

type Json = Record<string, unknown>;

export function playerRoutes(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();

  app.get("/me/player", (c) => {
    const refusal = missingScope(c, "user-read-playback-state");
    if (refusal) return refusal;
    const { shape, person } = c.get("caller");
    const device = activeDevice(person.playback);
    if (!device || person.playback.private === true) return c.body(null, 204);
    return c.json({
      device: { ...deviceJson(device), is_private_session: person.playback.private === "told" },
      repeat_state: "off",
      shuffle_state: false,
      ...playbackJson(c, shape, person.playback),
    });
  });

  app.get("/me/player/currently-playing", (c) => {
    const refusal = missingScope(c, "user-read-currently-playing", "user-read-playback-state");
    if (refusal) return refusal;
    const { shape, person } = c.get("caller");
    const { playback } = person;
    const isTold = activeDevice(playback) && currentTrack(playback) && !playback.private;
    if (!isTold) return c.body(null, 204);
    return c.json(playbackJson(c, shape, playback));
  });

  app.put("/me/player/play", async (c) => {
    const device = targetDevice(c);
    if (device instanceof Response) return device;
    const { uris, position_ms: positionMs = 0 } = await jsonBody(c);
    const { playback } = c.get("caller").person;
    if (!Array.isArray(uris)) {
      if (playback.activeId !== device.id) transfer(playback, device, true);
      else if (playback.playing || !resume(playback)) return restrictionViolated(c);
      return currentTrack(playback) ? c.body(null, 204) : restrictionViolated(c);
    }
    const trackId = /^spotify:track:(\w{22})$/.exec(String(uris[0]))?.[1] ?? "";
    if (!trackById.has(trackId)) return apiError(c, 400, "Invalid track uri");
    if (hides(c.get("caller").shape, trackId)) return restrictionViolated(c);
    start(playback, device, trackId, Number(positionMs));
    return c.body(null, 204);
  });

  app.put("/me/player/pause", (c) => {
    const device = targetDevice(c);
    if (device instanceof Response) return device;
    const { playback } = c.get("caller").person;
    if (!playback.playing || playback.activeId !== device.id) return restrictionViolated(c);
    pause(playback);
    return c.body(null, 204);
  });

  return app;
}

/** The device of a command, which is the one named in the query or the active one, or the response. */
function targetDevice(c: ApiContext): Device | Response {
  const refusal = missingScope(c, "user-modify-playback-state");
  if (refusal) return refusal;
  const { playback, musician } = c.get("caller").person;
  if (musician.product !== "premium") {
    return apiError(c, 403, "Player command failed: Premium required", "PREMIUM_REQUIRED");
  }
  const id = c.req.query("device_id");
  const device = id === undefined ? activeDevice(playback) : playback.devices.get(id);
  if (device) return device.restricted ? restrictedDevice(c) : device;
  return id === undefined
    ? apiError(c, 404, "Player command failed: No active device found", "NO_ACTIVE_DEVICE")
    : apiError(c, 404, "Device not found");
}

function restrictedDevice(c: ApiContext): Response {
  return apiError(c, 403, "Player command failed: Restricted device", "UNKNOWN");
}

function restrictionViolated(c: ApiContext): Response {
  return apiError(c, 403, "Player command failed: Restriction violated", "UNKNOWN");
}

function deviceJson(device: Device): Json {
  return {
    id: device.id,
    is_active: true,
    is_restricted: device.restricted,
    name: device.name,
    type: device.kind === "sdk" ? "Computer" : "Smartphone",
    volume_percent: device.volume,
    supports_volume: true,
  };
}

function playbackJson(c: ApiContext, shape: Shape, playback: Playback): Json {
  const track = playback.private ? null : currentTrack(playback);
  const { interlude } = playback;
  const namesEpisodes = c.req.query("additional_types")?.split(",").includes("episode");
  const episode = interlude === "episode" && namesEpisodes ? podcastEpisode(shape) : null;
  return {
    timestamp: playback.changedAt,
    context: null,
    progress_ms: track ? position(playback) : null,
    item: interlude ? episode : track ? fullTrack(shape, track.playing, track.requested) : null,
    currently_playing_type: interlude ?? (track ? "track" : "unknown"),
    actions: { disallows: playback.playing ? { resuming: true } : { pausing: true } },
    is_playing: playback.playing,
  };
}
