/** The player routes: reading the playback state and controlling devices. */
import { Hono } from "hono";
import { albumById, trackById } from "../../catalogue.ts";
import {
  activeDevice,
  currentTrack,
  type Device,
  type Playback,
  pause,
  position,
  resume,
  shownDevice,
  start,
  transfer,
} from "../playback.ts";
import { type ApiContext, type ApiEnv, apiError, jsonBody, missingScope } from "./call.ts";
import { fullTrack, hides, podcastEpisode, type Shape, tracksOf } from "./objects.ts";

type Json = Record<string, unknown>;

export function playerRoutes(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();

  app.get("/me/player", (c) => {
    const refusal = missingScope(c, "user-read-playback-state");
    if (refusal) return refusal;
    const { shape, person } = c.get("caller");
    const device = shownDevice(person.playback);
    if (!device) return c.body(null, 204);
    return c.json({
      device: deviceJson(device, true),
      repeat_state: "off",
      shuffle_state: false,
      ...playbackJson(c, shape, person.playback),
    });
  });

  app.get("/me/player/currently-playing", (c) => {
    const refusal = missingScope(c, "user-read-currently-playing", "user-read-playback-state");
    if (refusal) return refusal;
    const { shape, person } = c.get("caller");
    if (!shownDevice(person.playback) || !currentTrack(person.playback)) return c.body(null, 204);
    return c.json(playbackJson(c, shape, person.playback));
  });

  app.get("/me/player/devices", (c) => {
    const refusal = missingScope(c, "user-read-playback-state");
    if (refusal) return refusal;
    const { playback } = c.get("caller").person;
    const { devices, activeId } = playback;
    return c.json({
      devices: [...devices.values()].map((device) => ({
        ...deviceJson(device, device.id === activeId),
        is_private_session: playback.private && device.kind === "app",
      })),
    });
  });

  app.put("/me/player", async (c) => {
    const refusal = refuseCommand(c);
    if (refusal) return refusal;
    const body = await jsonBody(c);
    if (body instanceof Response) return body;
    const ids = body?.device_ids;
    if (!Array.isArray(ids) || ids.length === 0) {
      return apiError(c, 400, "Missing required field: device_ids");
    }
    if (ids.length > 1) return apiError(c, 400, "Only one device_id is supported");
    const { playback } = c.get("caller").person;
    const device = playback.devices.get(String(ids[0]));
    if (!device) return apiError(c, 404, "Device not found");
    if (device.restricted) return restrictedDevice(c);
    transfer(playback, device, body?.play === true);
    return c.body(null, 204);
  });

  app.put("/me/player/play", async (c) => {
    const device = targetDevice(c);
    if (device instanceof Response) return device;
    const body = await jsonBody(c);
    if (body instanceof Response) return body;
    const wanted = playRequest(body);
    if (typeof wanted === "string") return apiError(c, 400, wanted);
    const { playback } = c.get("caller").person;
    if (wanted && hides(c.get("caller").shape, wanted.trackIds[wanted.index])) {
      return restrictionViolated(c);
    }
    if (wanted) {
      start(playback, device, wanted.trackIds, wanted.positionMs, wanted.index);
    } else {
      if (playback.activeId !== device.id) transfer(playback, device, true);
      else if (playback.playing || !resume(playback)) return restrictionViolated(c);
      if (!currentTrack(playback)) return restrictionViolated(c);
    }
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

/** Null if the caller may control playback, otherwise the response. */
function refuseCommand(c: ApiContext): Response | null {
  const refusal = missingScope(c, "user-modify-playback-state");
  if (refusal) return refusal;
  return c.get("caller").person.musician.product === "premium"
    ? null
    : apiError(c, 403, "Player command failed: Premium required", "PREMIUM_REQUIRED");
}

/** The device of a command, which is the one named in the query or the active one, or the response. */
function targetDevice(c: ApiContext): Device | Response {
  const refusal = refuseCommand(c);
  if (refusal) return refusal;
  const { playback } = c.get("caller").person;
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

interface PlayRequest {
  trackIds: string[];
  index: number;
  positionMs: number;
}

/** What a body asks to play; null: resume. A text is the error in the body. */
function playRequest(body: Json | null): PlayRequest | string | null {
  if (!body) return null;
  const positionMs = body.position_ms ?? 0;
  if (typeof positionMs !== "number" || !Number.isInteger(positionMs) || positionMs < 0) {
    return "Invalid position_ms";
  }
  if (body.uris !== undefined && body.context_uri !== undefined) {
    return "Can't have both context_uri and uris";
  }
  const trackIds = trackIdsOf(body);
  if (typeof trackIds === "string" || trackIds === null) return trackIds;
  const offset = body.offset as { position?: number; uri?: string } | undefined;
  const index = offset?.uri
    ? trackIds.indexOf(offset.uri.replace("spotify:track:", ""))
    : (offset?.position ?? 0);
  if (index < 0 || index >= trackIds.length) return "Invalid offset";
  return { trackIds, index, positionMs };
}

/** The track ids that a body names; null: none. A text is the error in the body. */
function trackIdsOf(body: Json): string[] | string | null {
  if (Array.isArray(body.uris)) {
    const ids = body.uris.map((uri) => /^spotify:track:([0-9A-Za-z]{22})$/.exec(String(uri))?.[1]);
    if (ids.length === 0) return "Missing uris";
    const bad = ids.findIndex((id) => id === undefined || !trackById.has(id));
    return bad >= 0 ? `Invalid track uri: ${body.uris[bad]}` : ids.map((id) => id ?? "");
  }
  if (body.uris !== undefined) return "Malformed json";
  if (body.context_uri === undefined) return null;
  const album = albumById.get(String(body.context_uri).replace("spotify:album:", ""));
  return album ? tracksOf(album).map((track) => track.id) : "Unsupported context uri";
}

function deviceJson(device: Device, active: boolean): Json {
  return {
    id: device.id,
    is_active: active,
    is_private_session: false,
    is_restricted: device.restricted,
    name: device.name,
    type: device.kind === "sdk" ? "Computer" : "Smartphone",
    volume_percent: device.volume,
    supports_volume: true,
  };
}

function playbackJson(c: ApiContext, shape: Shape, playback: Playback): Json {
  const track = currentTrack(playback);
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
