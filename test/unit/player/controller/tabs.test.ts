/** What is told to other tabs, and to the page that follows a reload. */
import { expect, test } from "vitest";
import type { PlaybackTarget } from "~/player/drivers/driver";
import { messages } from "~/player/machine/messages";
import { otherSong, pausedAt, plays, song, wrongTrack } from "../support.ts";
import { controllerRig } from "./rig.ts";

const left = { listenId: "listen-1", positionMs: 9_000 };

/** A tab in which a song has played for nine seconds. */
async function playingTab(place: PlaybackTarget = "page") {
  const rig = controllerRig(place);
  await rig.start(song);
  await rig.pass(9_000);
  rig.told.length = 0;
  return rig;
}

/** A tab that has played nothing, and knows what plays in another one. */
function tabBeside(place: PlaybackTarget = "page") {
  const rig = controllerRig(place);
  rig.otherTabPlays({ song, place });
  return rig;
}

test.each(["page", "app"] as const)(
  "a tab that asks is told what plays here, and nothing where nothing does: %s",
  async (place) => {
    const idle = controllerRig(place);
    const playing = await playingTab(place);
    for (const rig of [idle, playing]) rig.tellTabs(true);
    expect(idle.told).toEqual([]);
    expect(playing.told).toMatchObject([{ song, place, plays: true }]);
  },
);

test("others are told where a song stands that stops, is paused, or goes with its page", async () => {
  const rig = await playingTab();
  expect(rig.position()).toEqual(left);
  rig.tellTabs(false);
  rig.pause();
  rig.report(pausedAt(9_000));
  expect(rig.told).toMatchObject([
    { song, plays: false, left },
    { song, plays: false, left },
  ]);
});

test("a tab that gives way to another one says nothing, so that a third waits for that one", async () => {
  const rig = await playingTab();
  rig.otherTabPlays({ song: otherSong, place: "page" });
  expect(rig.told).toEqual([]);
});

test("a tab that has played nothing names the other tab's song, without an error, until it stops there", () => {
  const rig = tabBeside();
  expect(rig.state()).toMatchObject({ song, status: { text: messages.otherTab, tone: "ok" } });
  rig.otherTabStopped({ song, left });
  expect(rig.state()).toMatchObject({ song, held: true, reachedMs: 9_000 });
  expect(rig.position()).toEqual(left);
});

test("a song that was heard in the other tab leaves nothing to go on with", () => {
  const rig = tabBeside();
  rig.otherTabStopped({ song, left: null });
  expect(rig.state()).toMatchObject({ song: null, phase: "idle" });
});

test("what stops in another tab is nothing to a song that plays here", async () => {
  const rig = await playingTab();
  rig.otherTabStopped({ song: otherSong, left: null });
  expect(rig.state()).toMatchObject({ song, phase: "playing" });
});

test("in the own app, a tab goes on with what stopped in another one once it is told", async () => {
  const rig = tabBeside("app");
  rig.otherTabStopped({ song, left });
  rig.answers.refresh = () => rig.report(plays(9_000));
  await rig.pass(2_000);
  expect(rig.state()).toMatchObject({ song, phase: "playing" });
  expect(rig.count("open")).toBe(0);
});

test("a track goes on after a reload in the page where it was, in the same listen", async () => {
  const rig = controllerRig("page");
  rig.follow(song, left);
  expect(rig.state()).toMatchObject({ phase: "interrupted", held: true, reachedMs: 9000 });
  rig.answers.current = wrongTrack;
  await rig.ask(song);
  expect(rig.count("open")).toBe(0);
  expect(rig.count("play spotify:track:track-1 from 9000")).toBe(1);
});

test("a reload leaves a second to hear, whatever the page says of the song", () => {
  const rig = controllerRig("page");
  rig.follow(song, { listenId: "listen-1", positionMs: 99_000 });
  expect(rig.state()).toMatchObject({ held: true, reachedMs: 34_000 });
});

test.each([
  ["app", 1],
  ["page", 0],
] as const)("in the %s, what plays after a reload is asked %i times", async (place, times) => {
  const rig = controllerRig(place);
  rig.emit("ready");
  rig.follow(song, { listenId: "listen-1", positionMs: 0 });
  await rig.pass(1_000);
  expect(rig.count("refresh")).toBe(times);
  expect(rig.count("open")).toBe(0);
});

test("neither no song nor one that was heard is anything to go on with", async () => {
  const rig = controllerRig("page");
  expect(rig.position()).toBe(null);
  await rig.ask({ ...song, heard: true });
  expect(rig.position()).toBe(null);
});
