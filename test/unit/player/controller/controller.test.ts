import { expect, test } from "vitest";
import type { ConfirmResult, OpenResult } from "~/player/listen-api";
import { messages } from "~/player/machine/messages";
import { offersInitialize, toSnapshot } from "~/player/machine/state";
import { otherSong, plays, shortSong, song, wrongTrack } from "../support.ts";
import { controllerRig } from "./rig.ts";

const right = plays(0, { durationMs: shortSong.durationMs });

/** A rig whose server answers the confirmations with these, in order, and then refuses. */
async function confirmedBy(...answers: ConfirmResult[]) {
  const rig = controllerRig();
  rig.answers.confirm = async () => answers.shift() ?? refused("No.");
  await rig.start();
  return rig;
}

function refused(error: string | null, secondsLeft: number | null = null) {
  return { ok: false, error, secondsLeft } as const;
}

test.each(["page", "app"] as const)(
  "in the %s, a song is played on its device to its unlock point and confirmed there",
  async (place) => {
    const rig = controllerRig(place);
    rig.answers.prepare = async () => ({ deviceId: place });
    await rig.start();
    expect(rig.calls()).toEqual([
      "activate",
      "prepare",
      `open song-1 on ${place}`,
      "announce",
      "play spotify:track:track-1 from 0",
      "refresh",
    ]);
    expect(rig.state()).toMatchObject({ phase: "playing", place });
    await rig.pass(3_999);
    expect(rig.state()).toMatchObject({ phase: "playing", reachedMs: 3_000 });
    await rig.pass(1);
    expect(rig.has("confirm")).toEqual(["confirm song-1 at 4000"]);
    expect(rig.state().phase).toBe("unlocked");
  },
);

test("a song chosen before the driver is ready starts by itself once it is", async () => {
  const rig = controllerRig();
  rig.play(shortSong);
  await rig.pass(5_000);
  expect(rig.calls()).toEqual(["activate"]);
  rig.emit("ready");
  await rig.pass();
  expect(rig.count("open song-1 on device")).toBe(1);
});

test("a driver that does not become ready is given up", async () => {
  const rig = controllerRig("app");
  rig.play(shortSong);
  await rig.pass(9_000);
  expect(rig.state().status).toEqual({ text: messages.notReady, tone: "ok" });
});

test.each([
  ["there is no device", "prepare", ["activate", "prepare"]],
  [
    ...(["the song does not start", "play"] as const),
    [
      ...["activate", "prepare", "open song-1 on device", "announce"],
      "play spotify:track:track-1 from 0",
    ],
  ],
] as const)("where %s, that is told, and nothing more is tried", async (_name, step, calls) => {
  const rig = controllerRig("app");
  rig.answers[step] = async () => "no-control";
  await rig.start();
  expect(rig.state()).toMatchObject({
    ...{ phase: "failed", status: { text: messages.noControl }, showRestart: true },
  });
  expect(rig.calls()).toEqual(calls);
});

test.each<[string, OpenResult, string]>([
  ["with a text", { ok: false, error: "Own song." }, "Own song."],
  ["without a text", { ok: false, error: null }, messages.startFailed],
])("plays nothing when the server refuses the listen %s", async (_name, answer, text) => {
  const rig = controllerRig();
  rig.answers.open = async () => answer;
  await rig.start();
  expect(rig.state()).toMatchObject({ phase: "failed", status: { text }, showRestart: true });
  expect(rig.count("play")).toBe(0);
});

test("a song that is not to be rated any more is no error to try again", async () => {
  const rig = controllerRig();
  const text = "You have already rated this song.";
  rig.answers.open = async () => ({ ok: false, error: text, closed: true });
  await rig.start();
  const state = rig.state();
  expect(state).toMatchObject({
    ...{ phase: "failed", status: { text, tone: "ok" }, showRestart: false },
  });
  expect(offersInitialize(state)).toBe(false);
  expect(toSnapshot(state).closed).toBe(true);
  rig.rated();
  expect(toSnapshot(rig.state())).toMatchObject({ songId: null, closed: false });
});

test("the required time is the server's", async () => {
  const rig = controllerRig();
  rig.answers.open = async () => ({ ok: true, requiredSeconds: 55, heard: false });
  await rig.start();
  expect(rig.state().requiredSeconds).toBe(55);
});

test("a confirmation waits as long as the server says, then asks again", async () => {
  const rig = await confirmedBy(refused("Too early.", 3), refused("Busy."), { ok: true });
  await rig.pass(5_000);
  rig.report(right);
  await rig.pass(5_000);
  expect(rig.has("confirm")).toEqual([4, 7, 8].map((second) => `confirm song-1 at ${second}000`));
  expect(rig.state().phase).toBe("unlocked");
});

test("keeps the heard time while the server cannot be reached, and says so", async () => {
  const rig = await confirmedBy(...Array(20).fill(refused(null)), { ok: true });
  await rig.pass(30_000);
  expect(rig.state()).toMatchObject({
    phase: "confirming",
    status: { text: messages.confirmDelayed, tone: "error" },
  });
  await rig.pass(60_000);
  expect(rig.state().phase).toBe("unlocked");
  expect(rig.has("confirm")[1]).toBe("confirm song-1 at 7000");
});

test("says why a longer wait is asked for, and asks again by itself", async () => {
  const limited = refused("Slow down.", 15);
  const rig = await confirmedBy(limited, limited, { ok: true });
  await rig.pass(20_000);
  expect(rig.state()).toMatchObject({ phase: "confirming", status: { text: "Slow down." } });
  await rig.pass(20_000);
  expect(rig.state().phase).toBe("unlocked");
  expect(rig.count("confirm")).toBe(3);
});

test("asks what plays when the server does not confirm, and stops confirming if it is another song", async () => {
  const rig = await confirmedBy(refused("Wrong song.", 3), { ok: true });
  rig.answers.refresh = () => rig.report({ ...wrongTrack, progressMs: 2_000 });
  await rig.pass(20_000);
  expect(rig.state()).toMatchObject({ phase: "interrupted", errorType: "wrongSong" });
  expect(rig.count("confirm")).toBe(1);
});

test("a confirmation is given up after five retries", async () => {
  const rig = await confirmedBy();
  await rig.pass(20_000);
  expect(rig.count("confirm")).toBe(6);
  expect(rig.state()).toMatchObject({
    ...{ phase: "failed", status: { text: "No." }, showRestart: true },
  });
});

test("asks a few times where Spotify does not tell what plays; resuming the song then asks anew", async () => {
  const rig = await confirmedBy(...Array(6).fill(refused("Not known.", 1)), { ok: true });
  await rig.pass(60_000);
  expect(rig.count("confirm")).toBe(6);
  expect(rig.state()).toMatchObject({ phase: "interrupted", status: { text: "Not known." } });
  rig.resume();
  await rig.pass();
  // Short of its end, at which nothing would play, and in the same listen.
  expect(rig.count("play spotify:track:track-1 from 3000")).toBe(1);
  expect(rig.count("open")).toBe(1);
  rig.report({ ...right, progressMs: 3_100 });
  await rig.pass(1_000);
  expect(rig.state().phase).toBe("unlocked");
});

test.each([
  [30, 2, "unlocked", messages.unlocked],
  [31, 1, "failed", messages.confirmFailed],
])("a wait of %i seconds ends after %i confirmations, %s", async (seconds, count, phase, text) => {
  const rig = await confirmedBy(refused(null, seconds), { ok: true });
  await rig.pass(40_000);
  expect(rig.count("confirm")).toBe(count);
  expect(rig.state()).toMatchObject({ phase, status: { text } });
});

test("what takes the song's place is paused, unless the song has begun to play since", async () => {
  const rig = controllerRig();
  await rig.start();
  await rig.pass(1_000);
  rig.answers.current = right;
  rig.report({ ...wrongTrack, progressMs: 9_000 });
  expect(rig.state().errorType).toBe("wrongSong");
  expect(rig.count("pause")).toBe(0);
  rig.report(right);
  rig.answers.current = wrongTrack;
  rig.report({ ...wrongTrack, progressMs: 9_000 });
  rig.report({ ...wrongTrack, progressMs: 9_000 });
  expect(rig.count("pause")).toBe(1);
});

test("another song can only start once the current one is unlocked", async () => {
  const rig = controllerRig();
  await rig.start();
  rig.play(otherSong);
  await rig.pass(1_000);
  expect(rig.state().song).toBe(shortSong);
  expect(rig.count("open song-2")).toBe(0);
  await rig.pass(4_000);
  rig.play(otherSong);
  await rig.pass();
  expect(rig.count("open song-2")).toBe(1);
});

test.each([
  ["pauses the song", right, 1],
  ["does not pause a track that the listener chose meanwhile", wrongTrack, 0],
])("stop %s, and lets go of the song", async (_name, current, pauses) => {
  const rig = controllerRig();
  await rig.start();
  rig.answers.current = current;
  rig.stop();
  expect(rig.count("pause")).toBe(pauses);
  expect(rig.state()).toMatchObject({ phase: "idle", song: null });
});

test("the state is told only when it has changed", () => {
  const rig = controllerRig();
  rig.report(right);
  expect(rig.states).toEqual([]);
  rig.emit("ready");
  expect(rig.states).toHaveLength(1);
});

test("a dialog that is closed keeps its error, and the song starts once the app was opened", async () => {
  const rig = controllerRig("app");
  rig.answers.prepare = async () => "no-device";
  await rig.start(song);
  expect(rig.state().dialogOpen).toBe(true);
  rig.closeDialog();
  expect(rig.state()).toMatchObject({ dialogOpen: false, errorType: "noDevice" });
  rig.answers.prepare = async () => ({ deviceId: "phone" });
  rig.check();
  await rig.pass(50);
  expect(rig.count("open song-1 on phone")).toBe(1);
  expect(rig.state()).toMatchObject({ phase: "starting", errorType: null, dialogOpen: false });
});
