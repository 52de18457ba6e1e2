/** The script in the SDK's iframe: each player's session, events and sound. */
import { createTune } from "/spotify/sdk/tune.js";

const players = new Map();
const tokenRequests = new Map();
let counter = 0;
let pageOrigin = "*";

function post(message) {
  window.parent.postMessage({ spotify: message }, pageOrigin);
}

function emit(player, event, data) {
  post({ player: player.id, event, data });
}

async function send(path, body) {
  const response = await fetch(`/spotify/sdk/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = response.status === 204 ? null : await response.json();
  return { ok: response.ok, answer };
}

function askToken(player) {
  const request = ++counter;
  post({ player: player.id, token: request });
  return new Promise((resolve) => tokenRequests.set(request, resolve));
}

function playerOf(id) {
  let player = players.get(id);
  if (!player) {
    player = {
      id,
      session: null,
      deviceId: null,
      state: null,
      events: null,
      tune: createTune(),
      mediaSession: false,
      /** Counts connects and disconnects, to recognize responses that come too late. */
      attempt: 0,
    };
    players.set(id, player);
  }
  return player;
}

async function connect(player, { name, volume, enableMediaSession }) {
  if (player.session) return true;
  const attempt = ++player.attempt;
  player.mediaSession = enableMediaSession === true;
  player.tune.setVolume(volume);
  const token = await askToken(player);
  if (attempt !== player.attempt) return false;
  let result;
  try {
    result = await send("connect", { token, name, volume });
  } catch {
    emit(player, "initialization_error", { message: "Failed to initialize player" });
    return false;
  }
  // The page has disconnected, or connected again, before the response came.
  if (attempt !== player.attempt) {
    if (result.ok) endSession(result.answer.session);
    return false;
  }
  if (!result.ok) {
    emit(player, result.answer.type, { message: result.answer.message });
    return false;
  }
  player.session = result.answer.session;
  player.deviceId = result.answer.deviceId;
  listen(player);
  return true;
}

function listen(player) {
  const events = new EventSource(`/spotify/sdk/events?session=${player.session}`);
  player.events = events;
  let announced = false;
  const on = (name, handle) => {
    events.addEventListener(name, (event) => handle(JSON.parse(event.data)));
  };
  on("hello", () => {
    if (!announced) emit(player, "ready", { device_id: player.deviceId });
    announced = true;
  });
  on("state", (state) => showState(player, state));
  on("autoplay_failed", () => emit(player, "autoplay_failed"));
  on("failure", ({ type, message }) => emit(player, type, { message }));
  on("token", () => renew(player));
  on("offline", () => {
    unload(player);
    emit(player, "not_ready", { device_id: player.deviceId });
  });
  on("online", () => emit(player, "ready", { device_id: player.deviceId }));
  on("gone", () => loseDevice(player));
  // The stream cannot be resumed, because the server has ended the session.
  events.onerror = () => {
    if (events.readyState === EventSource.CLOSED) loseDevice(player);
  };
}

async function renew(player) {
  const { session } = player;
  const token = await askToken(player);
  if (player.session !== session) return;
  const { ok, answer } = await send("token", { session, token });
  if (ok || player.session !== session) return;
  emit(player, answer.type, { message: answer.message });
  loseDevice(player);
}

function unload(player) {
  player.tune.stop();
  player.state = null;
  showMedia(player);
}

function close(player) {
  player.events.close();
  unload(player);
  Object.assign(player, { session: null, deviceId: null, events: null });
}

function loseDevice(player) {
  if (!player.session) return;
  const { deviceId } = player;
  close(player);
  emit(player, "not_ready", { device_id: deviceId });
}

/** Ends the session on the server; a beacon is sent even while the page is being closed. */
function endSession(session) {
  navigator.sendBeacon("/spotify/sdk/disconnect", session);
}

function disconnect(player) {
  player.attempt += 1;
  if (!player.session) return;
  endSession(player.session);
  close(player);
}

function showMedia(player) {
  if (!player.mediaSession || !navigator.mediaSession) return;
  const track = player.state?.track_window.current_track;
  navigator.mediaSession.metadata = track
    ? new MediaMetadata({
        title: track.name,
        artist: track.artists.map(({ name }) => name).join(", "),
        album: track.album.name,
        artwork: track.album.images.map(({ url, width, height }) => ({
          src: url,
          sizes: `${width}x${height}`,
        })),
      })
    : null;
}

/** Handles a new state: updates the sound and tells the page. */
function showState(player, state) {
  const before = player.state;
  player.state = state && { ...state, receivedAt: performance.now() };
  if (!state || state.paused) player.tune.stop();
  else if (!state.loading) {
    const same =
      before && !before.paused && !before.loading && before.playback_id === state.playback_id;
    if (!same) player.tune.play(state.track_window.current_track.id);
  }
  showMedia(player);
  emit(player, "player_state_changed", state);
}

function now({ receivedAt, ...state }) {
  const elapsed = state.paused || state.loading ? 0 : performance.now() - receivedAt;
  return {
    ...state,
    position: Math.min(state.duration, Math.round(state.position + elapsed)),
    timestamp: Date.now(),
  };
}

async function run(player, method, value) {
  switch (method) {
    case "connect":
      return connect(player, value);
    case "getCurrentState":
      return player.state ? now(player.state) : null;
    case "activateElement":
      await player.tune.unlock();
      return undefined;
    case "setVolume":
      player.tune.setVolume(value);
      return undefined;
  }
  if (!player.session) return undefined;
  const { ok, answer } = await send("command", { session: player.session, name: method });
  if (!ok) emit(player, "playback_error", { message: answer.message });
  return undefined;
}

window.addEventListener("message", async ({ source, origin, data }) => {
  if (source !== window.parent || !data?.spotify) return;
  pageOrigin = origin;
  const { id, player: playerId, method, value } = data.spotify;
  const player = playerOf(playerId);
  if (method === "token") {
    tokenRequests.get(value.request)?.(value.token);
    tokenRequests.delete(value.request);
  } else if (method === "disconnect") {
    disconnect(player);
  } else {
    try {
      post({ id, value: await run(player, method, value) });
    } catch (error) {
      post({ id, error: error.message });
    }
  }
});

window.addEventListener("pagehide", () => {
  for (const { session } of players.values()) {
    if (session) endSession(session);
  }
});

post({ hello: true });
