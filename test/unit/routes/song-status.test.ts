import { expect, test } from "vitest";
import type { PlayerSnapshot } from "~/player/machine/state";
import { type CarouselState, songStatus } from "~/routes/_index/carousel/song-status";

const now = 1_000_000;
const song = { songId: "song", heard: false, rated: null };
const rateable = { kind: "unlocked", playing: false, sending: false, blocked: false };
const idle = { kind: "idle" };

/** What a song is in this state; `of` is what differs about the song. */
function statusIn(
  state: Partial<CarouselState>,
  of: Partial<Parameters<typeof songStatus>[0]> = {},
) {
  const none = { listen: null, player: null, sendingId: null };
  const songs = [song, { ...song, songId: "another" }];
  return songStatus({ ...song, ...of }, { ...none, songs, now, ...state });
}

function listenTo(songId: string, unlocksAt: number, finished = false) {
  return { songId, unlocksAt, finished };
}

function player(
  songId: string | null,
  phase: PlayerSnapshot["phase"],
  change: Partial<PlayerSnapshot> = {},
): PlayerSnapshot {
  return {
    ...{ place: "page", songId, phase, rated: false, sounding: false, held: false },
    ...{ closed: false, secondsLeft: null },
    busy: ["loading", "starting", "playing", "confirming"].includes(phase),
    heardIds: phase === "unlocked" && songId ? [songId] : [],
    ...change,
  };
}

const due = listenTo("song", now - 1);
const withoutSong = [
  ["no player", null],
  ["a player that has no song", player(null, "idle")],
] as const;

test("a song that was rated stays rated, whatever plays", () => {
  const state = { listen: due, player: player("song", "playing"), sendingId: "song" };
  const rated = { kind: "rated", score: 3 };
  expect(statusIn(state, { rated: 3 })).toEqual(rated);
});

test.each([
  [54_001, { kind: "listening", secondsLeft: 55 }],
  [1, { kind: "listening", secondsLeft: 1 }],
  [0, rateable],
  [-60_000, rateable],
])("without a player the clock opens a song: %i ms before the unlock", (ms, status) => {
  expect(statusIn({ listen: listenTo("song", now + ms) })).toEqual(status);
});

test.each(["page", "app"] as const)(
  "time alone opens nothing where a player without a song runs: in the %s",
  (place) => {
    for (const unlocksAt of [now + 5_000, now, now - 60_000]) {
      const listen = listenTo("song", unlocksAt);
      expect(statusIn({ player: player(null, "idle", { place }), listen })).toEqual(idle);
    }
  },
);

test.each(withoutSong)("with %s a song is idle until it is played", (_name, player) => {
  expect(statusIn({ player })).toEqual(idle);
  expect(statusIn({ player, listen: listenTo("another", now + 1) })).toEqual(idle);
});

test.each(withoutSong)(
  "with %s a song can be rated once its listen is confirmed",
  (_name, player) => {
    const listen = listenTo("song", now + 60_000, true);
    expect(statusIn({ player, listen })).toEqual(rateable);
  },
);

test.each(withoutSong)(
  "with %s a song that was heard can be rated, whatever listen is open",
  (_name, player) => {
    for (const listen of [null, listenTo("another", now + 1), listenTo("song", now + 1)]) {
      expect(statusIn({ player, listen }, { heard: true })).toMatchObject({ kind: "unlocked" });
    }
  },
);

test.each(withoutSong)(
  "with %s only the song whose rating is on its way is being sent",
  (_name, player) => {
    const listen = listenTo("song", now, true);
    const sending = ["song", "another"].map((sendingId) => statusIn({ player, listen, sendingId }));
    expect(sending).toEqual([{ ...rateable, sending: true }, rateable]);
  },
);

const heardIds = ["song"];

test.each<[string, PlayerSnapshot, object]>([
  ["plays", player("song", "playing", { secondsLeft: 12 }), { kind: "playing", secondsLeft: 12 }],
  ["is unlocked", player("song", "unlocked"), rateable],
  [
    "sounds on after the unlock",
    player("song", "unlocked", { sounding: true }),
    { ...rateable, playing: true },
  ],
  [
    "plays again after it was unlocked",
    player("song", "playing", { heardIds }),
    { ...rateable, playing: true },
  ],
  ...(["loading", "starting", "interrupted", "confirming", "failed"] as const).map(
    (phase): [string, PlayerSnapshot, object] => [`is ${phase}`, player("song", phase), idle],
  ),
])("a song that %s is what its player says, whatever listen is open", (_name, player, status) => {
  expect(statusIn({ player })).toEqual(status);
  expect(statusIn({ player, listen: due })).toEqual(status);
});

test("a song's rating is on its way beside its player, too", () => {
  const state = { player: player("song", "unlocked"), sendingId: "song" };
  expect(statusIn(state)).toMatchObject({ kind: "unlocked", sending: true });
});

test.each(["loading", "starting", "playing", "confirming", "unlocked"] as const)(
  "with a player that has another song it is blocked while that one is %s",
  (phase) => {
    const state = { player: player("another", phase), listen: due };
    expect(statusIn(state)).toEqual({ kind: "blocked" });
    // Rating what was heard is not: only playing it once more.
    const replayBlocked = { ...rateable, blocked: true };
    expect(statusIn(state, { heard: true })).toEqual(replayBlocked);
    const heardHere = player("another", phase, { heardIds });
    expect(statusIn({ ...state, player: heardHere })).toEqual(replayBlocked);
  },
);

test("with a player that has another song it is free once that one is rated or has left the package, though it plays on", () => {
  const playsOn = player("another", "unlocked");
  const rated = { songId: "another", rated: 3 } as const;
  expect(statusIn({ player: playsOn, songs: [song, rated] })).toEqual(idle);
  expect(statusIn({ player: playsOn, songs: [song] })).toEqual(idle);
});

test.each(["interrupted", "failed"] as const)(
  "with a player that has another song it is free when that one is %s",
  (phase) => {
    expect(statusIn({ player: player("another", phase) })).toEqual(idle);
    expect(statusIn({ player: player("another", phase), listen: due })).toEqual(idle);
  },
);
