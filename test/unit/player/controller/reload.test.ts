import { expect, test } from "vitest";
import { playback, settled, song } from "../support.ts";
import { controllerRig } from "./rig.ts";

test("what was heard is known to the page that goes", async () => {
  const rig = controllerRig("page");
  rig.emit({ type: "ready" });
  expect(rig.controller.position()).toBe(null);
  rig.answers.open = async () => ({
    ok: true,
    listenId: "listen-1",
    requiredSeconds: 34,
    heard: false,
  });
  rig.controller.play(song);
  await settled();
  rig.emit({ type: "report", report: playback() });
  await rig.pass(9000);
  expect(rig.controller.position()).toEqual({ listenId: "listen-1", positionMs: 9000 });
});

test("a track goes on in the page where it was, in the same listen", async () => {
  const rig = controllerRig("page");
  rig.controller.follow(song, { listenId: "listen-1", positionMs: 9000 });
  expect(rig.state()).toMatchObject({ phase: "interrupted", held: true, heardMs: 9000 });
  rig.answers.current = playback({ trackIds: ["track-9"] });
  rig.controller.play(song);
  await settled();
  rig.emit({ type: "ready" });
  await settled();
  expect(rig.count("open")).toBe(0);
  expect(rig.calls).toContain("play spotify:track:track-1 from 9000");
});

test("a song that was heard is nothing to go on with", async () => {
  const rig = controllerRig("page");
  rig.emit({ type: "ready" });
  rig.controller.play({ ...song, heard: true });
  await settled();
  expect(rig.controller.position()).toBe(null);
});
