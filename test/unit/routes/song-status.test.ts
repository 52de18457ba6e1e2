import { describe, expect, test } from "vitest";
import type { PlayerSnapshot } from "~/player/machine/state";
import { type CarouselState, songStatus } from "~/routes/_index/carousel/song-status";

const now = 1_000_000;
const song = { songId: "song", heard: false, rated: null };
const rateable = { kind: "unlocked", playing: false, sending: false, blocked: false };

function carousel(state: Partial<CarouselState> = {}): CarouselState {
  const none = { listen: null, player: null, sendingId: null };
  return { ...none, songs: [song, { ...song, songId: "another" }], now, ...state };
}

function listenTo(songId: string, unlocksAt: number, finished = false) {
  return { songId, unlocksAt, finished };
}

function player(songId: string | null, phase: PlayerSnapshot["phase"]): PlayerSnapshot {
  const busy = ["loading", "starting", "playing", "confirming"].includes(phase);
  const heard = phase === "unlocked";
  const heardIds = heard && songId ? [songId] : [];
  return {
    place: "page",
    songId,
    phase,
    busy,
    rated: false,
    heardIds,
    sounding: false,
    held: false,
    closed: false,
    secondsLeft: null,
  };
}

test("a song that was rated stays rated, whatever plays", () => {
  const state = carousel({
    listen: listenTo("song", now - 1),
    player: player("song", "playing"),
    sendingId: "song",
  });
  expect(songStatus({ ...song, rated: 3 }, state)).toEqual({ kind: "rated", score: 3 });
});

describe("without a player", () => {
  test.each([
    [54_001, 55],
    [1, 1],
  ])("%i ms before the unlock there are %i seconds left", (ms, secondsLeft) => {
    const listen = listenTo("song", now + ms);
    expect(songStatus(song, carousel({ listen }))).toEqual({ kind: "listening", secondsLeft });
  });

  test.each([
    ["at the unlock", listenTo("song", now)],
    ["after the unlock", listenTo("song", now - 60_000)],
  ])("%s the song can be rated", (_when, listen) => {
    expect(songStatus(song, carousel({ listen }))).toEqual(rateable);
  });
});

test.each([
  ["in the page", "page"],
  ["in the own app", "app"],
] as const)("time alone opens nothing where a player without a song runs: %s", (_where, place) => {
  const idlePlayer = { ...player(null, "idle"), place };
  for (const unlocksAt of [now + 5_000, now, now - 60_000]) {
    const state = carousel({ player: idlePlayer, listen: listenTo("song", unlocksAt) });
    expect(songStatus(song, state)).toEqual({ kind: "idle" });
  }
});

describe.each([
  ["without a player", null],
  ["with a player that has no song", player(null, "idle")],
])("%s", (_name, idlePlayer) => {
  const state = (more: Partial<CarouselState>) => carousel({ player: idlePlayer, ...more });

  test("a song is idle until it is played", () => {
    expect(songStatus(song, state({}))).toEqual({ kind: "idle" });
    expect(songStatus(song, state({ listen: listenTo("another", now + 1) }))).toEqual({
      kind: "idle",
    });
  });

  test("once its listen is confirmed the song can be rated", () => {
    const listen = listenTo("song", now + 60_000, true);
    expect(songStatus(song, state({ listen }))).toEqual(rateable);
  });

  test("a song that was heard can be rated, whatever listen is open", () => {
    const heard = { ...song, heard: true };
    for (const listen of [null, listenTo("another", now + 1), listenTo("song", now + 1)]) {
      expect(songStatus(heard, state({ listen }))).toMatchObject({ kind: "unlocked" });
    }
  });

  test("only the song whose rating is on its way is being sent", () => {
    const listen = listenTo("song", now, true);
    const sending = (sendingId: string) => songStatus(song, state({ listen, sendingId }));
    expect(sending("song")).toMatchObject({ kind: "unlocked", sending: true });
    expect(sending("another")).toMatchObject({ kind: "unlocked", sending: false });
  });
});

describe("with a player that has this song", () => {
  test("it plays", () => {
    const state = carousel({ player: { ...player("song", "playing"), secondsLeft: 12 } });
    expect(songStatus(song, state)).toEqual({ kind: "playing", secondsLeft: 12 });
  });

  test.each(["loading", "starting", "interrupted", "confirming", "failed"] as const)(
    "while it is %s it is idle, whatever listen is open",
    (phase) => {
      const state = carousel({ player: player("song", phase) });
      expect(songStatus(song, state)).toEqual({ kind: "idle" });
      const listen = listenTo("song", now - 1);
      expect(songStatus(song, { ...state, listen })).toEqual({ kind: "idle" });
    },
  );

  test("the player decides, even where the server's data would unlock the song", () => {
    const state = carousel({
      player: player("song", "playing"),
      listen: listenTo("song", now - 1),
    });
    expect(songStatus(song, state)).toMatchObject({ kind: "playing" });
  });

  test("it can be rated once it was unlocked, also while it plays again", () => {
    const status = (phase: PlayerSnapshot["phase"]) =>
      songStatus(song, carousel({ player: { ...player("song", phase), heardIds: ["song"] } }));
    expect(status("unlocked")).toMatchObject({ kind: "unlocked", playing: false });
    expect(status("playing")).toMatchObject({ kind: "unlocked", playing: true });
  });

  test("its rating is on its way", () => {
    const state = carousel({
      player: player("song", "unlocked"),
      sendingId: "song",
    });
    expect(songStatus(song, state)).toMatchObject({ kind: "unlocked", sending: true });
  });

  test("it sounds on after the unlock for as long as the player says so", () => {
    const current = { ...player("song", "unlocked"), sounding: true };
    expect(songStatus(song, carousel({ player: current }))).toMatchObject({
      kind: "unlocked",
      playing: true,
    });
  });
});

describe("with a player that has another song", () => {
  test.each(["loading", "starting", "playing", "confirming", "unlocked"] as const)(
    "it is blocked while that one is %s",
    (phase) => {
      const state = carousel({
        player: player("another", phase),
        listen: listenTo("song", now - 1),
      });
      expect(songStatus(song, state)).toEqual({ kind: "blocked" });
      // Rating what was heard is not: only playing it once more.
      const replayBlocked = { ...rateable, blocked: true };
      expect(songStatus({ ...song, heard: true }, state)).toEqual(replayBlocked);
      const heardHere = { ...player("another", phase), heardIds: ["song"] };
      expect(songStatus(song, { ...state, player: heardHere })).toEqual(replayBlocked);
    },
  );

  test("it is free once that one is rated or has left the package, though it plays on", () => {
    const state = carousel({ player: player("another", "unlocked") });
    const rated = { songId: "another", rated: 3 } as const;
    expect(songStatus(song, { ...state, songs: [song, rated] })).toEqual({ kind: "idle" });
    expect(songStatus(song, { ...state, songs: [song] })).toEqual({ kind: "idle" });
  });

  test.each(["interrupted", "failed"] as const)("it is free when that one is %s", (phase) => {
    const state = carousel({ player: player("another", phase) });
    expect(songStatus(song, state)).toEqual({ kind: "idle" });
    const listen = listenTo("song", now - 1);
    expect(songStatus(song, { ...state, listen })).toEqual({ kind: "idle" });
  });
});
