import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  accountFingerprint,
  openPast,
  ratingFingerprint,
  refusalFingerprint,
  sealPast,
} from "~/domain/departure/fingerprint.server";
import { sha256, sign } from "~/platform/crypto.server";

const secret = "a secret of thirty-two characters";
const now = Date.UTC(2026, 5, 1, 10);
const day = 24 * 60 * 60 * 1000;
const past = {
  rated: [{ songId: "a song", endsAt: now + 3 * day }],
  drawn: { songIds: ["one", "two"], drawnAt: now - 1000 },
  passed: [{ songId: "another", passedAt: now - 29 * day, drawnAt: null }],
};

describe("a fingerprint", () => {
  const texts = fc.string({ maxLength: 20 });
  const pairs = fc.tuple(texts, texts);

  test("is the same for the same account and song, and for no other", async () => {
    await fc.assert(
      fc.asyncProperty(pairs, pairs, async (one, other) => {
        const [first, again, second] = await Promise.all(
          [one, one, other].map(([account, song]) => ratingFingerprint(secret, account, song)),
        );
        expect(again).toBe(first);
        expect(second === first).toBe(one[0] === other[0] && one[1] === other[1]);
      }),
    );
  });

  test("of an account, a rating and a refusal differ, wherever account and song divide", async () => {
    const all = await Promise.all([
      refusalFingerprint(secret, "a", "b"),
      accountFingerprint(secret, "ab"),
      accountFingerprint(secret, '["a","b"]'),
      ratingFingerprint(secret, "a", "b"),
      ratingFingerprint(secret, "ab", ""),
      ratingFingerprint(secret, "", "ab"),
      ratingFingerprint(secret, 'a","b', ""),
    ]);
    expect(new Set(all).size).toBe(all.length);
    for (const one of all) expect(one).toMatch(/^[\w-]{43}$/);
  });

  test("cannot be made without the secret, with another one, or with the signatures of links", async () => {
    const found = await ratingFingerprint(secret, "account", "song");
    const text = JSON.stringify(["account", "song"]);
    const guesses = await Promise.all([
      ratingFingerprint(`${secret}.`, "account", "song"),
      sha256(text),
      sha256(`rating\n${text}`),
      sign("rating", "rating", text),
      sign(secret, "rating", text),
    ]);
    expect(guesses).not.toContain(found);
  });
});

describe("a sealed past", () => {
  test("opens only with the right secret and account", async () => {
    const sealed = await sealPast(secret, "account", past);
    expect(await openPast({ secret, now }, "account", sealed)).toEqual(past);
    expect(await openPast({ secret, now }, "another", sealed)).toBeNull();
    expect(await openPast({ secret: `${secret}.`, now }, "account", sealed)).toBeNull();
    expect(await openPast({ secret, now }, "account", null)).toBeNull();
  });

  test("contains only what has not expired", async () => {
    const sealed = await sealPast(secret, "account", past);
    const later = { secret, now: now + day };
    expect(await openPast(later, "account", sealed)).toEqual({ ...past, drawn: null });
    expect(await openPast({ secret, now: now + 3 * day }, "account", sealed)).toBeNull();
  });

  test("has the same length with a hundred songs as with none, and is different each time", async () => {
    const rated = Array.from({ length: 100 }, () => ({ songId: crypto.randomUUID(), endsAt: now }));
    const all = await Promise.all(
      [[], [], rated].map((some) =>
        sealPast(secret, "account", { rated: some, drawn: null, passed: [] }),
      ),
    );
    expect(new Set(all.map((sealed) => sealed.length)).size).toBe(1);
    expect(new Set(all).size).toBe(3);
  });
});
