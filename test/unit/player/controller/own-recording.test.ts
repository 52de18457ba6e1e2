import { expect, test } from "vitest";
import { messages } from "~/player/machine/messages";
import { offersInitialize } from "~/player/machine/state";
import { ownSong, playback, plays, shortSong, song, wrongTrack } from "../support.ts";
import { controllerRig } from "./rig.ts";

const ownPath = "/songs/song-7/audio";
const ownPlaysAt = (progressMs: number) => plays(progressMs, { trackIds: [ownPath] });

async function ownPlays() {
  const rig = controllerRig("page");
  rig.connect();
  await rig.ask(ownSong);
  rig.emit("ready");
  await rig.pass();
  rig.report(ownPlaysAt(0));
  return rig;
}

test("an own recording plays by the page's own sound, through its listen", async () => {
  const rig = await ownPlays();
  expect(rig.state()).toMatchObject({ place: "file", phase: "playing", driver: "ready" });
  expect(rig.count(`play ${ownPath}?listen=listen-1 from 0`)).toBe(1);
  const connected = ["connect page", "connect file"];
  expect([...rig.has("connect"), ...rig.has("disconnect")]).toEqual(connected);
});

test("a track after an own recording plays by Spotify's player, which stayed connected", async () => {
  const rig = await ownPlays();
  rig.rated();
  rig.answers.current = ownPlaysAt(0);
  rig.play(song);
  await rig.pass();
  expect(rig.count("connect page")).toBe(1);
  expect(rig.count("pause")).toBe(1);
  expect(rig.count("play spotify:track:track-1 from 0")).toBe(1);
  expect(rig.state()).toMatchObject({ place: "page", driver: "ready", song });
});

test("a player of Spotify's that was lost meanwhile is replaced on the way back", async () => {
  const rig = await ownPlays();
  rig.emit("not-ready", 1);
  expect(rig.state()).toMatchObject({ place: "file", driver: "ready", phase: "playing" });
  rig.rated();
  rig.play(song);
  expect(rig.count("connect page")).toBe(2);
  expect(rig.state()).toMatchObject({ place: "page", driver: "connecting", phase: "loading" });
});

test("the volume goes along from one player to the other", () => {
  const rig = controllerRig("page");
  rig.emit("ready");
  rig.setVolume(0.3);
  rig.play(ownSong);
  expect(rig.count("volume 0.3")).toBe(2);
  expect(rig.state().volume).toBe(0.3);
});

test("a listener without Spotify gets the page's own sound alone", async () => {
  const rig = controllerRig("file");
  rig.connect();
  await rig.ask(ownSong);
  expect(rig.has("connect")).toEqual(["connect file"]);
  expect(rig.state()).toMatchObject({ place: "file", phase: "starting" });
});

test("an open listen of an own recording from before a reload goes on where it was", async () => {
  const rig = controllerRig("page");
  rig.follow(ownSong, { listenId: "listen-1", positionMs: 21_500 });
  rig.emit("ready");
  expect(rig.state()).toMatchObject({
    ...{ phase: "interrupted", held: true, reachedMs: 21_500 },
    status: { text: "Paused.", tone: "ok" },
  });
  rig.answers.current = wrongTrack;
  rig.play(ownSong);
  await rig.pass();
  expect(rig.count("open")).toBe(0);
  expect(rig.count(`play ${ownPath}?listen=listen-1 from 21500`)).toBe(1);
});

test("an own recording that had hardly begun before a reload starts again", () => {
  const rig = controllerRig("page");
  rig.follow(ownSong, { listenId: "listen-1", positionMs: 0 });
  expect(rig.state().song).toBe(null);
});

test("a connection that broke off keeps what was heard", async () => {
  const rig = await ownPlays();
  await rig.pass(9_000);
  rig.report(ownPlaysAt(9000));
  rig.emit({ type: "broken-off" });
  expect(rig.state()).toMatchObject({
    ...{ phase: "interrupted", reachedMs: 9_000 },
    status: { text: messages.brokenOff, tone: "error" },
  });
  rig.answers.current = wrongTrack;
  rig.resume();
  await rig.pass();
  expect(rig.count("open")).toBe(1);
  expect(rig.calls().slice(-2)).toEqual([`play ${ownPath}?listen=listen-1 from 9000`, "refresh"]);
});

test("what the browser cannot play is to be passed on, and not tried again", async () => {
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
  const refused = { ok: false, error: "Too early.", secondsLeft: 1, deliveredMs: 20_000 } as const;
  rig.answers.confirm = async () => refused;
  for (let second = 1; second <= 40; second++) {
    await rig.pass(1000);
    rig.report(ownPlaysAt(second * 1000));
  }
  expect(rig.count(`play ${ownPath}?listen=listen-1 from 19000`)).toBeGreaterThan(0);
});

test.each([
  ["file", "page", 1],
  ["page", "file", 1],
  ["page", "page", 0],
  ["app", "app", 0],
] as const)(
  "where this tab plays at %s and another one at %s, this one pauses %i times",
  async (here, there, pauses) => {
    const rig = controllerRig(here === "file" ? "page" : here);
    await rig.ask(here === "file" ? ownSong : shortSong);
    rig.emit("ready");
    rig.answers.current = here === "file" ? ownPlaysAt(0) : playback();
    rig.otherTabPlays({ song: shortSong, place: there });
    expect(rig.count("pause")).toBe(pauses);
    expect(rig.state().status.text).toBe(messages.otherTab);
  },
);
