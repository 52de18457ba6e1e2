import { expect, test } from "vitest";
import { messages } from "~/player/machine/messages";
import { otherSong, playback, settled, song } from "../support.ts";
import { type ControllerRig, controllerRig } from "./rig.ts";

async function playing(rig: ControllerRig): Promise<void> {
  rig.answers.open = async () => ({
    ok: true,
    listenId: "listen-1",
    requiredSeconds: 34,
    heard: false,
  });
  rig.emit({ type: "ready" });
  rig.controller.play(song);
  await settled();
  rig.emit({ type: "report", report: playback() });
  await rig.pass(9_000);
}

test.each(["page", "app"] as const)(
  "a tab that asks is told what plays here, and nothing where nothing does: %s",
  async (place) => {
    const rig = controllerRig(place);
    rig.controller.tellTabs(true);
    expect(rig.told).toEqual([]);
    await playing(rig);
    rig.told.length = 0;
    rig.controller.tellTabs(true);
    expect(rig.told).toMatchObject([{ song, place, plays: true }]);
  },
);

test("others are told where a song stands that stops, is paused, or goes with its page", async () => {
  const rig = controllerRig("page");
  await playing(rig);
  rig.told.length = 0;
  const left = { listenId: "listen-1", positionMs: 9_000 };
  rig.controller.tellTabs(false);
  rig.controller.pause();
  rig.emit({ type: "report", report: playback({ playing: false, progressMs: 9_000 }) });
  expect(rig.told).toMatchObject([
    { song, plays: false, left },
    { song, plays: false, left },
  ]);
});

test("a tab that gives way to another one says nothing, so that a third waits for that one", async () => {
  const rig = controllerRig("page");
  await playing(rig);
  rig.told.length = 0;
  rig.controller.otherTabPlays({ song: otherSong, place: "page" });
  expect(rig.told).toEqual([]);
});

test("a tab that has played nothing names the other tab's song, without an error, until it stops there", () => {
  const rig = controllerRig("page");
  rig.controller.otherTabPlays({ song, place: "page" });
  expect(rig.state()).toMatchObject({ song, status: { text: messages.otherTab, tone: "ok" } });
  rig.controller.otherTabStopped({ song, left: { listenId: "listen-1", positionMs: 9_000 } });
  expect(rig.state()).toMatchObject({ song, held: true, heardMs: 9_000 });
  expect(rig.controller.position()).toEqual({ listenId: "listen-1", positionMs: 9_000 });
});

test("a song that was heard in the other tab leaves nothing to go on with", () => {
  const rig = controllerRig("page");
  rig.controller.otherTabPlays({ song, place: "page" });
  rig.controller.otherTabStopped({ song, left: null });
  expect(rig.state()).toMatchObject({ song: null, phase: "idle" });
});

test("what stops in another tab is nothing to a song that plays here", async () => {
  const rig = controllerRig("page");
  await playing(rig);
  rig.controller.otherTabStopped({ song: otherSong, left: null });
  expect(rig.state()).toMatchObject({ song, phase: "playing" });
});

test("in the own app, a tab goes on with what stopped in another one once it is told", async () => {
  const rig = controllerRig("app");
  rig.controller.otherTabPlays({ song, place: "app" });
  rig.controller.otherTabStopped({ song, left: { listenId: "listen-1", positionMs: 9_000 } });
  rig.answers.refresh = () => rig.emit({ type: "report", report: playback({ progressMs: 9_000 }) });
  await rig.pass(2_000);
  expect(rig.state()).toMatchObject({ song, phase: "playing" });
  expect(rig.count("open")).toBe(0);
});
