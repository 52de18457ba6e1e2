import { expect, test } from "vitest";
import { messages } from "~/player/machine/messages";
import { offersInitialize } from "~/player/machine/state";
import { ownSong, playback, settled, shortSong, song, wrongTrack } from "../support.ts";
import { controllerRig } from "./rig.ts";

const ownPath = "/songs/song-7/audio";
const ownReport = (change: object = {}) =>
  playback({ trackIds: [ownPath], durationMs: ownSong.durationMs, ...change });

async function ownPlays() {
  const rig = controllerRig("page");
  rig.controller.connect();
  rig.emit({ type: "ready" });
  rig.answers.open = async () => ({
    ok: true,
    listenId: "listen-7",
    requiredSeconds: 34,
    heard: false,
  });
  rig.controller.play(ownSong);
  rig.emit({ type: "ready" });
  await settled();
  rig.emit({ type: "report", report: ownReport() });
  return rig;
}

test("an own recording plays by the page's own sound, through its listen", async () => {
  const rig = await ownPlays();
  expect(rig.count("connect file")).toBe(1);
  expect(rig.count("disconnect")).toBe(0);
  expect(rig.calls).toContain(`play ${ownPath}?listen=listen-7 from 0`);
  expect(rig.state()).toMatchObject({ place: "file", phase: "playing", driver: "ready" });
});

test("and a track after it by Spotify's, which stayed connected", async () => {
  const rig = await ownPlays();
  rig.controller.rated();
  rig.answers.current = ownReport();
  rig.controller.play(song);
  await settled();
  expect(rig.count("connect page")).toBe(1);
  expect(rig.count("pause")).toBe(1);
  expect(rig.calls).toContain("play spotify:track:track-1 from 0");
  expect(rig.state()).toMatchObject({ place: "page", driver: "ready", song });
});

test("a player of Spotify's that was lost meanwhile is replaced on the way back", async () => {
  const rig = await ownPlays();
  rig.emit({ type: "not-ready" }, 1);
  expect(rig.state()).toMatchObject({ place: "file", driver: "ready", phase: "playing" });
  rig.controller.rated();
  rig.controller.play(song);
  expect(rig.count("connect page")).toBe(2);
  expect(rig.state()).toMatchObject({ place: "page", driver: "connecting", phase: "loading" });
});

test("the volume goes along", async () => {
  const rig = controllerRig("page");
  rig.emit({ type: "ready" });
  rig.controller.setVolume(0.3);
  rig.controller.play(ownSong);
  expect(rig.calls.filter((call) => call === "volume 0.3")).toHaveLength(2);
  expect(rig.state().volume).toBe(0.3);
});

test("a listener without Spotify gets the page's own sound alone", async () => {
  const rig = controllerRig("file");
  rig.controller.connect();
  rig.emit({ type: "ready" });
  rig.controller.play(ownSong);
  await settled();
  expect(rig.calls.filter((call) => call.startsWith("connect"))).toEqual(["connect file"]);
  expect(rig.state()).toMatchObject({ place: "file", phase: "starting" });
});

test("an open listen from before a reload goes on where it was", async () => {
  const rig = controllerRig("page");
  rig.controller.follow(ownSong, { listenId: "listen-1", positionMs: 21_500 });
  rig.emit({ type: "ready" });
  expect(rig.state()).toMatchObject({
    phase: "interrupted",
    held: true,
    heardMs: 21_500,
    status: { text: "Paused.", tone: "ok" },
  });
  rig.answers.current = wrongTrack;
  rig.controller.play(ownSong);
  await settled();
  expect(rig.count("open")).toBe(0);
  expect(rig.calls).toContain(`play ${ownPath}?listen=listen-1 from 21500`);
});

test("one that has hardly begun starts again", async () => {
  const rig = controllerRig("page");
  rig.controller.follow(ownSong, { listenId: "listen-1", positionMs: 0 });
  expect(rig.state().song).toBe(null);
});

test("a connection that broke off keeps what was heard", async () => {
  const rig = await ownPlays();
  await rig.pass(9_000);
  rig.emit({ type: "report", report: ownReport({ progressMs: 9000 }) });
  rig.emit({ type: "broken-off" });
  expect(rig.state()).toMatchObject({
    phase: "interrupted",
    status: { text: messages.brokenOff, tone: "error" },
  });
  expect(rig.state().heardMs).toBeGreaterThan(8_000);
  rig.answers.current = wrongTrack;
  rig.controller.resume();
  await settled();
  expect(rig.count("open")).toBe(1);
  expect(rig.calls.at(-1)).toBe("refresh");
  expect(rig.calls.some((call) => /from 9\d{3}$/.test(call))).toBe(true);
});

test("one that the browser cannot play is to be passed on, and not tried again", async () => {
  const rig = await ownPlays();
  rig.emit({ type: "undecodable" });
  expect(rig.state()).toMatchObject({
    ...{ phase: "failed", sounding: false, showRestart: false, dialogOpen: false },
    status: { text: messages.undecodable, tone: "error", kind: "undecodable" },
  });
  expect(offersInitialize(rig.state())).toBe(false);
});

test("what the server has not delivered is fetched again", async () => {
  const rig = await ownPlays();
  rig.answers.open = async () => ({ ok: true, requiredSeconds: 3, heard: false });
  const refused = { ok: false, error: "Too early.", secondsLeft: 1, deliveredMs: 20_000 } as const;
  rig.answers.confirm = async () => refused;
  for (let second = 1; second <= 40; second++) {
    await rig.pass(1000);
    rig.emit({ type: "report", report: ownReport({ progressMs: second * 1000 }) });
  }
  expect(rig.calls).toContain(`play ${ownPath}?listen=listen-7 from 19000`);
});

test.each([
  ["file", "page", 1],
  ["page", "file", 1],
  ["page", "page", 0],
  ["app", "app", 0],
] as const)(
  "a song of another tab: this one plays at %s, that one at %s",
  async (here, there, pauses) => {
    const rig = controllerRig(here === "file" ? "page" : here);
    rig.emit({ type: "ready" });
    rig.controller.play(here === "file" ? ownSong : shortSong);
    rig.emit({ type: "ready" });
    await settled();
    rig.answers.current = here === "file" ? ownReport() : playback();
    rig.controller.otherTabPlays({ song: shortSong, place: there });
    expect(rig.count("pause")).toBe(pauses);
    expect(rig.state().status.text).toBe(messages.otherTab);
  },
);
