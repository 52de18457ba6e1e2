/** What of Spotify's answers is taken, and from whom (app/THREATS.md). */
import fc from "fast-check";
import { expect, it, test } from "vitest";
import type { FoundTrack } from "~/sources/catalogue";
import { type Asker, type KnownTrack, whatChanged } from "~/sources/spotify/what-changed";

const name = fc.constantFrom("", "Amber", "Amber (Remastered)", "アンバー");
const url = fc.constantFrom("https://i.scdn.co/image/a", "https://i.scdn.co/image/b");
const artist = fc.constantFrom("1mara", "2tobin");

const metadata = {
  title: name,
  album: name,
  credits: fc.array(fc.tuple(name, fc.option(artist)), { maxLength: 2 }),
  artUrl: fc.option(url),
  smallerArt: fc.constantFrom<Record<number, string>>({}, { 64: "https://i.scdn.co/image/c" }),
  durationMs: fc.constantFrom(2_000, 5_000, 60_000, 180_000),
  isrc: fc.option(fc.constantFrom("ZZFVF1600001", "ZZFVF1600002")),
  explicit: fc.boolean(),
};
/** With as many ids as names. */
function withArtists<T extends { credits: [string, string | null][] }>({ credits, ...rest }: T) {
  const [artists, artistIds] = [credits.map(([it]) => it), credits.map(([, id]) => id)];
  return { ...rest, artists, artistIds };
}

const anyKnown: fc.Arbitrary<KnownTrack> = fc
  .record({
    trackId: fc.constant("0track"),
    ...metadata,
  })
  .map(withArtists);
const anyRead: fc.Arbitrary<FoundTrack> = fc
  .record({
    trackId: fc.constantFrom("0track", "0track", "0track", "0other"),
    spotifyUrl: fc.constant("https://open.spotify.com/track/0track"),
    playable: fc.boolean(),
    hidden: fc.boolean(),
    relinked: fc.boolean(),
    ...metadata,
  })
  .map(withArtists);
const anyAsker = fc.constantFrom<Asker>("listener", "app");

function property(check: (known: KnownTrack, read: FoundTrack, asker: Asker) => void) {
  fc.assert(fc.property(anyKnown, anyRead, anyAsker, check));
}

it("takes nothing from what is said of another track", () => {
  property((known, read, asker) => {
    if (!read.relinked && read.trackId === known.trackId) return;
    expect(whatChanged(known, read, asker)).toBeNull();
  });
});

it("finds nothing more once its findings are written", () => {
  property((known, read, asker) => {
    const changed = whatChanged(known, read, asker);
    if (changed) expect(changed).not.toEqual({});
    expect(whatChanged({ ...known, ...changed }, read, asker)).toBeNull();
  });
});

it("erases nothing, and makes no song too short to be rated", () => {
  property((known, read, asker) => {
    const changed = whatChanged(known, read, asker) ?? {};
    for (const value of Object.values(changed)) expect([null, "", []]).not.toContainEqual(value);
    expect(changed.artists ?? []).not.toContain("");
    expect(changed.artistIds ?? []).not.toContain(null);
    if (changed.durationMs !== undefined && changed.durationMs < known.durationMs) {
      expect(changed.durationMs).toBeGreaterThanOrEqual(4_000);
    }
  });
});

it("never lets a listener shorten a song, rename its artists, make it another recording or take its mark away", () => {
  property((known, read) => {
    const changed = whatChanged(known, read, "listener") ?? {};
    expect(changed).not.toHaveProperty("isrc");
    expect(changed.explicit).not.toBe(false);
    expect(changed.durationMs ?? known.durationMs).toBeGreaterThanOrEqual(known.durationMs);
    if (changed.artists) expect(changed.artistIds).not.toEqual(known.artistIds);
  });
});

const known: KnownTrack = {
  trackId: "0track",
  title: "Amber",
  album: "Stones",
  artists: ["Mara Lind"],
  artistIds: ["1mara"],
  artUrl: "https://i.scdn.co/image/a",
  smallerArt: {},
  durationMs: 180_000,
  isrc: null,
  explicit: false,
};
const read: FoundTrack = {
  ...known,
  spotifyUrl: "https://open.spotify.com/track/0track",
  playable: true,
  hidden: false,
  relinked: false,
};

test.each<[string, Partial<FoundTrack>, Asker, object | null]>([
  ["that it is explicit", { explicit: true }, "listener", { explicit: true }],
  ["a new title", { title: "Ember" }, "listener", { title: "Ember" }],
  [
    "the smaller covers of an old song",
    { smallerArt: { 300: "u" } },
    "listener",
    {
      artUrl: known.artUrl,
      smallerArt: { 300: "u" },
    },
  ],
  [
    "another artist",
    { artists: ["Tobin"], artistIds: ["2tobin"] },
    "listener",
    {
      artists: ["Tobin"],
      artistIds: ["2tobin"],
    },
  ],
  ["an artist's other name, from a listener", { artists: ["マーラ"] }, "listener", null],
  [
    "an artist's other name, from the app",
    { artists: ["Mara"] },
    "app",
    {
      artists: ["Mara"],
      artistIds: ["1mara"],
    },
  ],
  ["a shorter length, from a listener", { durationMs: 30_000 }, "listener", null],
  ["a shorter length, from the app", { durationMs: 30_000 }, "app", { durationMs: 30_000 }],
  [
    "a longer length, from a listener",
    { durationMs: 190_000 },
    "listener",
    { durationMs: 190_000 },
  ],
])("%s", (_what, change, asker, expected) => {
  expect(whatChanged(known, { ...read, ...change }, asker)).toEqual(expected);
});
