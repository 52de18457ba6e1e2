import { expect, test } from "vitest";
import type { PlayFailure } from "~/player/drivers/driver";
import type { ConfirmResult, OpenResult } from "~/player/listen-api";
import { messages } from "~/player/machine/messages";
import { offersInitialize, toSnapshot } from "~/player/machine/state";
import { otherSong, playback, settled, shortSong, wrongTrack } from "../support.ts";
import { type ControllerRig, controllerRig } from "./rig.ts";

const right = playback({ durationMs: shortSong.durationMs });

async function startPlaying(rig: ControllerRig): Promise<void> {
  rig.emit({ type: "ready" });
  rig.controller.play(shortSong);
  await settled();
  rig.emit({ type: "report", report: right });
}

/** Makes the server answer the confirmations with these, in order, and then refuse. */
function answerConfirmations(rig: ControllerRig, answers: ConfirmResult[]): void {
  rig.answers.confirm = async () =>
    answers.shift() ?? { ok: false, error: "No.", secondsLeft: null };
}

test("plays a song to its unlock point and confirms it there", async () => {
  const rig = controllerRig();
  await startPlaying(rig);
  expect(rig.calls).toEqual([
    "activate",
    "prepare",
    "open song-1 on device",
    "announce",
    "play spotify:track:track-1 from 0",
    "refresh",
  ]);
  expect(rig.state().phase).toBe("playing");
  await rig.pass(3_999);
  expect(rig.state()).toMatchObject({ phase: "playing", heardMs: 3_000 });
  await rig.pass(1);
  await settled();
  expect(rig.calls).toContain("confirm song-1 at 4000");
  expect(rig.state().phase).toBe("unlocked");
});

test("in the app, finds the device before it opens the listen, and plays there", async () => {
  const rig = controllerRig("app");
  rig.answers.prepare = async () => ({ deviceId: "phone" });
  await startPlaying(rig);
  expect(rig.calls).toEqual([
    "activate",
    "prepare",
    "open song-1 on phone",
    "announce",
    "play spotify:track:track-1 from 0",
    "refresh",
  ]);
  expect(rig.state()).toMatchObject({ phase: "playing", place: "app" });
});

test("a song chosen before the driver is ready starts by itself once it is", async () => {
  const rig = controllerRig();
  rig.controller.play(shortSong);
  await rig.pass(5_000);
  expect(rig.calls).toEqual(["activate"]);
  rig.emit({ type: "ready" });
  await settled();
  expect(rig.calls).toContain("open song-1 on device");
});

test("gives up on a driver that does not become ready", async () => {
  const rig = controllerRig();
  rig.controller.play(shortSong);
  await rig.pass(9_000);
  expect(rig.state().status).toEqual({ text: messages.notReady, tone: "error" });
});

const failures: Record<PlayFailure, string> = {
  failed: messages.startFailed,
  "no-premium": messages.noPremium,
  "no-device": messages.openApp,
  "no-control": messages.noControl,
  limited: messages.limited,
  undecodable: messages.undecodable,
  cancelled: messages.startFailed,
};

test.each(Object.entries(failures))(
  "tells why there is no device to play on: %s",
  async (failure, text) => {
    const rig = controllerRig("app");
    rig.answers.prepare = async () => failure as PlayFailure;
    await startPlaying(rig);
    expect(rig.state()).toMatchObject({
      phase: "failed",
      status: { text },
      showRestart: failure !== "undecodable",
    });
    expect(rig.calls).toEqual(["activate", "prepare"]);
  },
);

test.each(Object.entries(failures))(
  "tells why the song did not start: %s",
  async (failure, text) => {
    const rig = controllerRig("app");
    rig.answers.play = async () => failure as PlayFailure;
    await startPlaying(rig);
    expect(rig.state()).toMatchObject({
      phase: "failed",
      status: { text },
      showRestart: failure !== "undecodable",
    });
    expect(rig.count("refresh")).toBe(0);
  },
);

test.each<[string, OpenResult, string]>([
  ["with a text", { ok: false, error: "Own song." }, "Own song."],
  ["without a text", { ok: false, error: null }, messages.startFailed],
])("plays nothing when the server refuses the listen %s", async (_name, answer, text) => {
  const rig = controllerRig();
  rig.answers.open = async () => answer;
  await startPlaying(rig);
  expect(rig.state()).toMatchObject({ phase: "failed", status: { text }, showRestart: true });
  expect(rig.count("play")).toBe(0);
});

test("a song that is not to be rated any more is no error to try again", async () => {
  const rig = controllerRig();
  const text = "You have already rated this song.";
  rig.answers.open = async () => ({ ok: false, error: text, closed: true });
  await startPlaying(rig);
  const state = rig.state();
  expect(state).toMatchObject({ phase: "failed", status: { text, tone: "ok" } });
  expect([state.showRestart, offersInitialize(state)]).toEqual([false, false]);
  expect(toSnapshot(state).closed).toBe(true);
  rig.controller.rated();
  expect(toSnapshot(rig.state())).toMatchObject({ songId: null, closed: false });
});

test("takes the required time from the server", async () => {
  const rig = controllerRig();
  rig.answers.open = async () => ({ ok: true, requiredSeconds: 55, heard: false });
  await startPlaying(rig);
  expect(rig.state().requiredSeconds).toBe(55);
});

test("waits as long as the server says, then asks again", async () => {
  const rig = controllerRig();
  answerConfirmations(rig, [
    { ok: false, error: "Too early.", secondsLeft: 3 },
    { ok: false, error: "Busy.", secondsLeft: null },
    { ok: true },
  ]);
  await startPlaying(rig);
  await rig.pass(5_000);
  rig.emit({ type: "report", report: right });
  await rig.pass(5_000);
  expect(rig.calls.filter((call) => call.startsWith("confirm"))).toEqual([
    "confirm song-1 at 4000",
    "confirm song-1 at 7000",
    "confirm song-1 at 8000",
  ]);
  expect(rig.state().phase).toBe("unlocked");
});

test("keeps the heard time while the server cannot be reached, and says so", async () => {
  const rig = controllerRig();
  const unreachable = { ok: false, error: null, secondsLeft: null } as const;
  answerConfirmations(rig, [...Array(20).fill(unreachable), { ok: true }]);
  await startPlaying(rig);
  await rig.pass(30_000);
  expect(rig.state()).toMatchObject({
    phase: "confirming",
    status: { text: messages.confirmDelayed, tone: "error" },
  });
  await rig.pass(60_000);
  expect(rig.state().phase).toBe("unlocked");
  expect(rig.calls.filter((call) => call.startsWith("confirm")).slice(0, 2)).toEqual([
    "confirm song-1 at 4000",
    "confirm song-1 at 7000",
  ]);
});

test("says why a longer wait is asked for, and asks again by itself", async () => {
  const rig = controllerRig();
  const limited = { ok: false, error: "Slow down.", secondsLeft: 15 } as const;
  answerConfirmations(rig, [limited, limited, { ok: true }]);
  await startPlaying(rig);
  await rig.pass(20_000);
  expect(rig.state()).toMatchObject({ phase: "confirming", status: { text: "Slow down." } });
  await rig.pass(20_000);
  expect(rig.state().phase).toBe("unlocked");
  expect(rig.count("confirm")).toBe(3);
});

test("asks what plays when the server does not confirm, and stops confirming if it is another song", async () => {
  const rig = controllerRig();
  answerConfirmations(rig, [{ ok: false, error: "Wrong song.", secondsLeft: 3 }, { ok: true }]);
  await startPlaying(rig);
  const other = { ...wrongTrack, progressMs: 2_000 };
  rig.answers.refresh = () => rig.emit({ type: "report", report: other });
  await rig.pass(20_000);
  expect(rig.state()).toMatchObject({ phase: "interrupted", errorType: "wrongSong" });
  expect(rig.count("confirm")).toBe(1);
});

test("gives up after five retries", async () => {
  const rig = controllerRig();
  answerConfirmations(rig, []);
  await startPlaying(rig);
  await rig.pass(20_000);
  expect(rig.count("confirm")).toBe(6);
  expect(rig.state()).toMatchObject({
    phase: "failed",
    status: { text: "No." },
    showRestart: true,
  });
});

test("asks a few times where Spotify does not tell what plays; resuming the song then asks anew", async () => {
  const rig = controllerRig();
  const unknown = { ok: false, error: "Not known.", secondsLeft: 1 } as const;
  answerConfirmations(rig, [...Array(6).fill(unknown), { ok: true }]);
  await startPlaying(rig);
  await rig.pass(60_000);
  expect(rig.count("confirm")).toBe(6);
  expect(rig.state()).toMatchObject({ phase: "interrupted", status: { text: "Not known." } });
  rig.controller.resume();
  await rig.pass(0);
  // Short of its end, at which nothing would play, and in the same listen.
  expect(rig.calls).toContain("play spotify:track:track-1 from 3000");
  expect(rig.count("open")).toBe(1);
  rig.emit({ type: "report", report: { ...right, progressMs: 3_100 } });
  await rig.pass(1_000);
  expect(rig.state().phase).toBe("unlocked");
});

test.each([
  { secondsLeft: 30, confirmations: 2, phase: "unlocked" },
  { secondsLeft: 31, confirmations: 1, phase: "failed" },
])("a wait of $secondsLeft seconds ends $phase", async ({ secondsLeft, confirmations, phase }) => {
  const rig = controllerRig();
  answerConfirmations(rig, [{ ok: false, error: null, secondsLeft }, { ok: true }]);
  await startPlaying(rig);
  await rig.pass(40_000);
  expect(rig.count("confirm")).toBe(confirmations);
  expect(rig.state().phase).toBe(phase);
  const text = phase === "failed" ? messages.confirmFailed : messages.unlocked;
  expect(rig.state().status.text).toBe(text);
});

test("pauses whatever takes the song's place until it is heard, once each time", async () => {
  const rig = controllerRig();
  await startPlaying(rig);
  await rig.pass(1_000);
  const playOther = (trackId: string, playing = true) => {
    rig.answers.current = playback({ trackIds: [trackId], playing });
    rig.emit({ type: "report", report: rig.answers.current });
  };
  playOther("track-8");
  // A device may take a while to obey, or not obey at all.
  playOther("track-8");
  expect(rig.count("pause")).toBe(1);
  playOther("track-8", false);
  playOther("track-8");
  expect(rig.count("pause")).toBe(2);
  playOther("track-9");
  expect(rig.count("pause")).toBe(3);
  rig.controller.restart();
  await rig.pass(50);
  rig.emit({ type: "report", report: right });
  playOther("track-9");
  expect(rig.count("pause")).toBe(4);
});

test("pauses a track that begins while the song is interrupted, but not a minute later", async () => {
  const rig = controllerRig("app");
  await startPlaying(rig);
  await rig.pass(2_000);
  rig.emit({ type: "report", report: { ...right, playing: false, progressMs: 2_000 } });
  rig.answers.current = wrongTrack;
  rig.emit({ type: "report", report: wrongTrack });
  expect(rig.count("pause")).toBe(1);
  rig.emit({ type: "report", report: null });
  await rig.pass(60_000);
  rig.emit({ type: "report", report: wrongTrack });
  expect(rig.count("pause")).toBe(1);
});

test("pauses a track that still plays when the start is given up", async () => {
  const rig = controllerRig();
  rig.answers.current = wrongTrack;
  rig.answers.refresh = () => rig.emit({ type: "report", report: wrongTrack });
  rig.emit({ type: "ready" });
  rig.controller.play(shortSong);
  await rig.pass(10_000);
  expect(rig.count("pause")).toBe(0);
  await rig.pass(1_000);
  expect(rig.count("pause")).toBe(1);
  expect(rig.state()).toMatchObject({ phase: "interrupted", errorType: "wrongSong" });
});

test("does not pause the song where it has begun to play since the report", async () => {
  const rig = controllerRig();
  await startPlaying(rig);
  rig.answers.current = right;
  rig.emit({ type: "report", report: { ...wrongTrack, progressMs: 9_000 } });
  expect(rig.state().errorType).toBe("wrongSong");
  expect(rig.count("pause")).toBe(0);
});

test("pauses neither the track before the song, nor the song under another id", async () => {
  const rig = controllerRig();
  rig.emit({ type: "ready" });
  rig.controller.play(shortSong);
  await settled();
  rig.emit({ type: "report", report: wrongTrack });
  rig.emit({ type: "report", report: { ...right, trackIds: ["copy", "track-1"] } });
  rig.emit({ type: "report", report: { ...wrongTrack, playing: false } });
  expect(rig.count("pause")).toBe(0);
});

test("does not pause a track that starts after the unlock", async () => {
  const rig = controllerRig();
  await startPlaying(rig);
  await rig.pass(4_100);
  expect(rig.state().phase).toBe("unlocked");
  rig.emit({ type: "report", report: wrongTrack });
  expect(rig.count("pause")).toBe(0);
  expect(rig.state().phase).toBe("unlocked");
});

test("another song can only start once the current one is unlocked", async () => {
  const rig = controllerRig();
  await startPlaying(rig);
  rig.controller.play(otherSong);
  await rig.pass(1_000);
  expect(rig.state().song).toBe(shortSong);
  expect(rig.count("open song-2")).toBe(0);
  await rig.pass(4_000);
  rig.controller.play(otherSong);
  await settled();
  expect(rig.count("open song-2")).toBe(1);
});

test.each([
  { name: "pauses the song", current: right, pauses: 1 },
  {
    name: "does not pause a track that the listener chose meanwhile",
    current: wrongTrack,
    pauses: 0,
  },
])("stop $name, and lets go of the song", async ({ current, pauses }) => {
  const rig = controllerRig();
  await startPlaying(rig);
  rig.answers.current = current;
  rig.controller.stop();
  expect(rig.count("pause")).toBe(pauses);
  expect(rig.state()).toMatchObject({ phase: "idle", song: null });
});

test("reports its state only when it has changed", () => {
  const rig = controllerRig();
  rig.emit({ type: "report", report: right });
  expect(rig.states).toEqual([]);
  rig.emit({ type: "ready" });
  expect(rig.states).toHaveLength(1);
});

test("closes the dialog, but keeps its error", async () => {
  const rig = controllerRig("app");
  rig.answers.prepare = async () => "no-device";
  await startPlaying(rig);
  expect(rig.state().dialogOpen).toBe(true);
  rig.controller.closeDialog();
  expect(rig.state()).toMatchObject({ dialogOpen: false, errorType: "noDevice" });
});
