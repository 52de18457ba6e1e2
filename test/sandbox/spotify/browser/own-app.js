/** The script of the own-app page: shows the playback state, sends commands, plays the sound. */
import { createTune } from "/spotify/sdk/tune.js";

const base = location.pathname.replace(/\/$/, "");
const tune = createTune();
const $ = (id) => document.getElementById(id);
let state = null;
let receivedAt = 0;
let currentSound = null;

const buttonFor = (command) => document.querySelector(`[data-command="${command}"]`);
const clock = (ms) => {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

function position() {
  const elapsed = state.playing ? performance.now() - receivedAt : 0;
  return Math.min(state.positionMs + elapsed, state.track.durationMs);
}

function show(next) {
  state = next;
  receivedAt = performance.now();
  const { open, here, track, playing, device } = state;
  $("status").textContent = !open
    ? "The app is closed: Spotify sees no device here."
    : here
      ? playing
        ? "Playing on this phone."
        : "The app is open and active."
      : device
        ? `Active on another device: ${device}.`
        : "The app is open, but not active yet.";
  buttonFor("open").hidden = open;
  buttonFor("close").hidden = !open;
  $("songs").hidden = !open;
  $("now").hidden = !track;
  buttonFor("pause").hidden = !playing;
  buttonFor("resume").hidden = playing;
  buttonFor("here").hidden = here || !open;
  if (track) {
    $("image").hidden = !track.image;
    if (track.image && $("image").getAttribute("src") !== track.image) $("image").src = track.image;
    $("name").textContent = track.name;
    $("artists").textContent = track.artists;
    $("total").textContent = clock(track.durationMs);
    draw();
  }
  updateSound();
}

function draw() {
  if (!state?.track) return;
  $("progress").max = state.track.durationMs;
  $("progress").value = position();
  $("elapsed").textContent = clock(position());
}

function updateSound() {
  if (!state.here || !state.playing || !state.track) {
    tune.stop();
    currentSound = null;
    return;
  }
  const startedAt = performance.now() - state.positionMs;
  if (currentSound?.id === state.track.id && Math.abs(currentSound.startedAt - startedAt) < 200)
    return;
  currentSound = { id: state.track.id, startedAt };
  tune.play(state.track.id, state.positionMs, state.track.durationMs);
}

for (const button of document.querySelectorAll("[data-command]")) {
  button.addEventListener("click", async () => {
    void tune.unlock();
    const response = await fetch(`${base}/${button.dataset.command}`, { method: "POST" });
    show(await response.json());
  });
}

const events = new EventSource(`${base}/events`);
events.addEventListener("message", (event) => show(JSON.parse(event.data)));
setInterval(draw, 250);
