import fc from "fast-check";
import { expect, test } from "vitest";
import { namesQuery, typedQuery } from "~/sources/spotify/client/web-api.server";

/** Texts of letters, blanks, emoji and other scripts, often longer than a query. */
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 400 }),
  fc.string({
    unit: fc.constantFrom("a", " ", '"', ":", "\\", "\n", "🎸", "夜", "ליל"),
    maxLength: 400,
  }),
  fc.constantFrom("", " ", '"', "::", "\\", "album:", "a".repeat(250), "a".repeat(251)),
);

test("a query of names fits, splits no character, and quotes each name that has something to look for", () => {
  fc.assert(
    fc.property(text, fc.option(text), (artist, album) => {
      const query = namesQuery({ artist, album });
      expect(query.length).toBeLessThanOrEqual(250);
      expect(query.isWellFormed()).toBe(artist.isWellFormed() && (album ?? "").isWellFormed());
      expect(query).toMatch(/^(album:"[^":\\\s][^":\\]*")?( ?artist:"[^":\\\s][^":\\]*")?$/);
    }),
  );
});

test("a query of names has short names as they are, but for what ends a quotation or begins a filter", () => {
  expect(namesQuery({ artist: "Mara Lind", album: "Night Ferry" })).toBe(
    'album:"Night Ferry" artist:"Mara Lind"',
  );
  expect(namesQuery({ artist: '"Weird" Al\\', album: "Vol. 2: year:1999" })).toBe(
    'album:"Vol. 2 year 1999" artist:"Weird Al"',
  );
  expect(namesQuery({ artist: "夜の歌", album: null })).toBe('artist:"夜の歌"');
  expect(namesQuery({ artist: ' "" ', album: null })).toBe("");
});

test("a query of names ends a long name with a whole word, if it has several", () => {
  const album = `${"word ".repeat(40)}`;
  expect(namesQuery({ artist: "x", album })).toBe(
    `album:"${"word ".repeat(22).trim()}" artist:"x"`,
  );
  expect(namesQuery({ artist: "ä".repeat(240), album: null })).toBe(`artist:"${"ä".repeat(110)}"`);
  expect(namesQuery({ artist: `a${"🎸".repeat(90)}`, album: null })).toBe(
    `artist:"a${"🎸".repeat(54)}"`,
  );
});

test("a query as it was typed is itself if it fits, without blanks around it", () => {
  fc.assert(
    fc.property(text, (typed) => {
      const query = typedQuery(typed);
      if (typed.trim().length <= 250) expect(query).toBe(typed.trim());
      expect(query.length).toBeLessThanOrEqual(250);
      if (typed.isWellFormed()) expect(query.isWellFormed()).toBe(true);
    }),
  );
});

test("a query as it was typed that is too long ends with a whole word, and within no quotation", () => {
  expect(typedQuery("word ".repeat(60))).toBe("word ".repeat(50).trim());
  expect(typedQuery(`artist:"Mara" album:"${"word ".repeat(60)}"`)).toBe(
    `artist:"Mara" album:${"word ".repeat(46).trim()}`,
  );
});
