import fc from "fast-check";
import { expect, test } from "vitest";
import { unlinkable, unlinkableSong } from "~/letters/wording";

/** Everything in a text that a mail client might turn into a link. */
function linksIn(text: string): string[] {
  // Browsers normalise an address to its compatibility form, without invisible characters.
  const seen = text.normalize("NFKC").replace(/\p{Cf}/gu, "");
  const found = [/@/, /:[^\s)]/, /\/\//, /[.。]+[^\s.)]/u, /(\p{Nd}\D{0,3}){6,}/u];
  return found.flatMap((pattern) => seen.match(pattern)?.[0] ?? []);
}

const pieces = [
  ...["evil", "example", "www", "com", "xn--p1ai", "рф", "a", "http", "mailto", "tel"],
  ...[".", "。", "．", "｡", "․", "…", "@", "＠", "﹫", ":", "：", "/", "／", "//", "\\", "?", "#"],
  ...[" ", "\n", "\t", "\u200b", "\u200c", "\u2060", "\u00ad", "\ufeff", "\u202e", "\u2028"],
  ...["0", "900", "1234", "٣٤٥", "１２３", "+", "-", "(", ")", "⒈", "㏂", "℀", "🎵", "’", "\u0301"],
];

test.each([
  ...["www.evil.example", "evil.example/x", "a@b.c", "https://evil.example", "Win at evil.example"],
  ...["evil。example", "evil．example", "evil｡example", "evil․example", "evil.\u200bexample"],
  ...["evil\u2060.example", "evil.\u202eexample", "ａ＠ｂ", "1.2.3.4/x", "evil:8080", "//evil"],
  ...["mailto:a", "tel:1", "will.i.am", "\\\\evil\\x", "Call 0900 123456", "٠٩٠٠١٢٣٤", "㏂x"],
])("%j is left out", (text) => {
  expect(unlinkable(text)).toBe("");
});

test.each([
  ...["Midnight Ferry", "Ada Quist", "J. S. Bach", "AC/DC", "Guns N' Roses", "Sigur Rós", "P!nk"],
  ...["Mr. Brightside (Live)", "Symphony No. 40: Menuetto", "1999", "50% Off", "A$AP Rocky", "דנה"],
  ...[
    "夜に駆ける",
    "Где же ты?",
    "Hey, Ya!",
    "Wait…",
    "Mara 🎵",
    "R&B + Soul [Remix]",
    "👩‍🚀🪐 Zero-G",
    "“Heroes”",
  ],
])("%j stays as it is", (text) => {
  expect(unlinkable(text)).toBe(text);
});

const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((at) => String.fromCodePoint(at));

test("no client finds a link in what is kept of any text", () => {
  const built = fc.array(fc.constantFrom(...pieces), { maxLength: 8 });
  fc.assert(
    fc.property(
      fc.oneof(
        built.map((parts) => parts.join("")),
        fc.array(anyCharacter, { maxLength: 20 }).map((characters) => characters.join("")),
      ),
      (text) => {
        expect(linksIn(unlinkable(text))).toEqual([]);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a text is kept completely or not at all", () => {
  const built = fc.array(fc.constantFrom(...pieces, "Night", "Ferry", " "), { maxLength: 8 });
  fc.assert(
    fc.property(built, (parts) => {
      const text = parts.join("");
      const kept = unlinkable(text);
      if (kept !== "") expect(kept.replace(/\s/g, "")).toBe(kept && oneLined(text));
    }),
  );
});

/** The text without spaces, line breaks and control characters. */
function oneLined(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]|[\u202a-\u202e]/gu, "");
}

test("words that consist of letters are always kept", () => {
  const word = fc.string({ unit: fc.constantFrom(..."aböçдя夜ñ"), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
      expect(unlinkable(words.join(" "))).toBe(words.join(" "));
    }),
  );
});

test("artists are checked in the form in which the mail lists them", () => {
  const about = { spotifyUrl: "", tint: null };
  const song = { title: "evil.example", artists: ["The Lanterns", "Ada"], ...about };
  expect(unlinkableSong(song)).toEqual({ title: "", artists: ["The Lanterns, Ada"], ...about });
  expect(unlinkableSong({ ...song, artists: ["Ada", "a@b"] }).artists).toEqual([]);
  expect(unlinkableSong({ ...song, artists: ["1 234", "567"] }).artists).toEqual([]);
});
