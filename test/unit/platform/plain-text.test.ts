import fc from "fast-check";
import { expect, test } from "vitest";
import { canBeSeen, isLonger, plainName, plainText } from "~/platform/plain-text";

/** Characters that are drawn as nothing, or only together with another. */
const unseen = [
  ..." \t\n\u00a0\u1680\u2003\u202f\u205f\u3000\u2028\u0085\0\u007f",
  ..."\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2064\ufeff\u00ad\u180e\u061c\u202a\u202e\u2066\u2069",
  ..."\u3164\uffa0\u115f\u1160\u17b4\u034f\u2800\ufffc\u206f\u2065\ufff0\ufff9",
  ..."\u0301\u0489\u20dd\ufe0f\ufe00\u180b",
  ...["\u{e0001}", "\u{e0041}", "\u{e007f}", "\u{e0100}", "\u{e0fff}", "\u{1d159}", "\u{1d173}"],
  ...["\u{13441}", "\u{1bca0}", "\ud800"],
];

const seen = [
  ...["a", "0", ".", "-", "…", "`", "´", "•", "♪", "$", "愛", "ㅋ", "한", "अ", "ب", "ש", "ﾞ", "～"],
  ...[
    "🎵",
    "👩‍🎤",
    "👨‍👩‍👧‍👦",
    "❤️",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "1️⃣",
    "🇦🇹",
    "👍🏽",
    "می‌خواهم",
    "क्‍ष",
    "é",
    "\uf8ff",
    "\u{1faff}",
    "\ufffd",
  ],
];

test("nobody can see a text of characters that are drawn as nothing", () => {
  // The second half of a pair alone: behind a first half it would be a letter.
  for (const one of [...unseen, "\udc00"]) {
    expect([one, canBeSeen(one), plainText(one)]).toEqual([one, false, ""]);
  }
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...unseen)), (all) => {
      expect(plainText(all.join(""))).toBe("");
    }),
  );
});

test.each(seen)("%j can be seen and stays as it is, whatever stands beside it", (text) => {
  expect(plainText(text)).toBe(text);
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...unseen)), (all) => {
      expect(canBeSeen(`${all.join("")}${text}`)).toBe(true);
      expect(plainText(`${all.join("")}x${text}`)).toContain(`x${text}`);
    }),
  );
});

test.each([
  "\u202a",
  "\u202b",
  "\u202c",
  "\u202d",
  "\u202e",
  "\u2066",
  "\u2067",
  "\u2068",
  "\u2069",
])("what changes the writing direction is taken out (%j)", (control) => {
  expect(plainText(`Night${control} Ferry${control}`)).toBe("Night Ferry");
});

test("what changes the writing direction of its own letters alone is left", () => {
  for (const title of ["\u200fשלום (Live)", "سلام\u200e!", "\u061c3 أغاني"]) {
    expect(plainText(title)).toBe(title);
  }
});

test("halves of letters and controls are no part of a text, but for line breaks and tabs", () => {
  expect(plainText("Ti\udc00t\0l\u001be\ud83d")).toBe("Title");
  expect(plainText("two\r\n\tlines")).toBe("two\r\n\tlines");
  // Halves that something between them keeps apart make no letter either.
  expect(plainText("a\ud83d\u202e\ude00")).toBe("a");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(plainText(text).isWellFormed()).toBe(true);
    }),
  );
});

test("marks are piled up on a letter no higher than any writing does", () => {
  for (const pile of ["\u0489", "\u0336\u200d", "\u200c\u0301\ufe0f"]) {
    expect(plainText(`a${pile.repeat(100)}b`)).toBe(`a${pile.repeat(8).slice(0, 8)}b`);
  }
});

test("letters and their marks are composed", () => {
  expect(plainText("Cafe\u0301")).toBe("Caf\u00e9");
  expect(plainName("\u1112\u1161\u11ab")).toBe("\ud55c");
});

test("a text is as long as what one sees of it", () => {
  for (const one of ["x", "é", "🎵", "🇦🇹", "👍🏽", "한", "क्ष"]) {
    expect([one, isLonger(one.repeat(101), 200)]).toEqual([one, false]);
    expect([one, isLonger(one.repeat(200), 200)]).toEqual([one, false]);
    expect([one, isLonger(one.repeat(201), 200)]).toEqual([one, true]);
  }
});

test("a single character has no room without end, and a browser that cannot count goes by the room", () => {
  expect(isLonger(`a${"\u200d".repeat(3000)}`, 200)).toBe(true);
  const { Segmenter } = Intl;
  try {
    Object.assign(Intl, { Segmenter: undefined });
    expect(isLonger("x".repeat(201), 200)).toBe(false);
    expect(isLonger("x".repeat(3201), 200)).toBe(true);
  } finally {
    Object.assign(Intl, { Segmenter });
  }
});

test("a name stands on one line", () => {
  expect(plainName("Night\r\nFerry\u2028\u0085Blue\tHour\n")).toBe("Night Ferry Blue Hour");
  expect(plainName("東京\u3000タワー")).toBe("東京\u3000タワー");
});

test("reading a text again changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const plain = plainText(text);
      expect(plainText(plain)).toBe(plain);
      expect(plain !== "").toBe(canBeSeen(plain));
    }),
  );
});
