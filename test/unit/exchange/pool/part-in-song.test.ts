import fc from "fast-check";
import { expect, test } from "vitest";
import { hasPartIn } from "~/exchange/pool/ratable";

/** A song by these artists, by their names and Spotify's ids. */
function song(...artists: [name: string, id: string | null][]) {
  return { artists: artists.map(([name]) => name), artistIds: artists.map(([, id]) => id) };
}

/** Whether a song is one that this listener has a part in. */
function isTheirs(
  credits: ReturnType<typeof song>,
  displayName: string,
  ownArtists: Record<string, string> = {},
): boolean {
  return hasPartIn({ displayName, ownArtists })(credits);
}

const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const id = fc.string({ minLength: 22, maxLength: 22 });

test("by the id, every artist of a song counts, whatever they are called", () => {
  const own = { own: "My Band" };
  expect(isTheirs(song(["Renamed", "own"]), "Me", own)).toBe(true);
  expect(isTheirs(song(["Somebody", "other"], ["Guest", "own"]), "Me", own)).toBe(true);
  expect(isTheirs(song(["Somebody", "other"], ["Guest", "another"]), "Me", own)).toBe(false);
});

test("by the id, a namesake is told apart once the listener's own id is known", () => {
  const namesakes = song(["Me", "of a namesake"]);
  expect(isTheirs(namesakes, "Me")).toBe(true);
  expect(isTheirs(namesakes, "Me", { friend: "A friend" })).toBe(true);
  expect(isTheirs(namesakes, "Me", { mine: "ME" })).toBe(false);
  expect(isTheirs(song(["Me", null]), "Me", { mine: "Me" })).toBe(true);
});

test("by the id, what every object has is no artist of the listener's", () => {
  expect(isTheirs(song(["Somebody", "constructor"], ["X", "__proto__"]), "Me")).toBe(false);
});

test.each([
  ["Mara Lind", "mara lind"],
  ["  Mara\u00a0 Lind ", "Mara Lind"],
  ["Mara\tLind", "MARA  LIND"],
  ["Ｍａｒａ Lind", "Mara Lind"],
  ["Café", "Cafe\u0301"],
  ["Die Größten", "DIE GRÖSSTEN"],
  ["ΟΔΟΣ", "οδός".normalize("NFD").replace(/\u0301/g, "")],
  ["ﬁre", "FIRE"],
])("by the name, %j is the same as %j", (one, other) => {
  expect(isTheirs(song(["Somebody", null], [one, null]), other)).toBe(true);
  expect(isTheirs(song([other, null]), one)).toBe(true);
});

test.each([
  ["Mara Lind", "Mara Lindt"],
  ["Mara Lind", "MaraLind"],
  ["Mara Lind", "Mara"],
  ["Mara", "Mara Lind & Friends"],
  ["Mara Lind", "Mára Lind"],
  ["Mara-Lind", "Mara Lind"],
  ["", ""],
  [" ", "\u00a0"],
])("by the name, %j is not %j", (one, other) => {
  expect(isTheirs(song([one, null]), other)).toBe(false);
});

test("by the name, a song whose ids are not stored counts by all its names", () => {
  const old = { artists: ["Somebody", "Me"], artistIds: [] };
  expect(isTheirs(old, "Me", { mine: "Me" })).toBe(true);
  expect(isTheirs(old, "You")).toBe(false);
});

test("by the name, any name is the same as itself in another case or spacing", () => {
  fc.assert(
    fc.property(name, (own) => {
      const counts = own.normalize("NFKC").trim() !== "";
      for (const written of [own, own.toUpperCase(), own.toLowerCase(), `  ${own}\n`]) {
        expect(isTheirs(song([written, null]), own)).toBe(counts);
      }
    }),
  );
});

test("nothing but ids and names decides, and their order does not matter", () => {
  const artists = fc.array(fc.tuple(name, fc.option(id)), { maxLength: 5 });
  fc.assert(
    fc.property(artists, name, fc.dictionary(id, name), (credited, displayName, own) => {
      const found = isTheirs(song(...credited), displayName, own);
      expect(isTheirs(song(...credited.toReversed()), displayName, own)).toBe(found);
      expect(found).toBe(credited.some((artist) => isTheirs(song(artist), displayName, own)));
      if (credited.some(([, artistId]) => artistId !== null && Object.hasOwn(own, artistId))) {
        expect(found).toBe(true);
      }
    }),
  );
});
