import fc from "fast-check";
import { expect, test } from "vitest";
import { maxTyped, readCode, waitText } from "~/login/login-code";
import { codeOf, linkToken } from "~/login/login-code.server";
import { readArtistName } from "~/members/artist-name";
import { isRejection } from "~/platform/rejection";

const secret = "a secret of at least thirty-two characters";
const code = fc.stringMatching(/^[0-9]{6}$/);

test("the code of a login has six digits, is the same each time, and differs by id and secret", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uuid(), async (id) => {
      const derived = await codeOf(secret, id);
      expect(derived).toMatch(/^[0-9]{6}$/);
      expect(await codeOf(secret, id)).toBe(derived);
    }),
  );
  const codes = await Promise.all(["a", "b", "c"].map((id) => codeOf(secret, id)));
  expect(new Set([...codes, await codeOf(`${secret}!`, "a")]).size).toBe(4);
});

test("the code of a login keeps its leading zeros", async () => {
  const ids = Array.from({ length: 400 }, (_, n) => `id ${n}`);
  const codes = await Promise.all(ids.map((id) => codeOf(secret, id)));
  expect(codes.some((one) => one.startsWith("00"))).toBe(true);
  expect(codes.every((one) => one.length === 6)).toBe(true);
});

test("the code of a login is spread evenly: each digit comes in each place a tenth of the time", async () => {
  const count = 20_000;
  const codes = await Promise.all(
    Array.from({ length: count }, (_, n) => codeOf(secret, `id ${n}`)),
  );
  for (const place of [0, 1, 2, 3, 4, 5]) {
    const seen = Array<number>(10).fill(0);
    for (const one of codes) seen[Number(one[place])] = (seen[Number(one[place])] ?? 0) + 1;
    // Chi-squared with nine degrees of freedom: the ids are fixed, so that this never fails by chance.
    const chi = seen.reduce((sum, n) => sum + (n - count / 10) ** 2 / (count / 10), 0);
    expect([place, chi < 27.9]).toEqual([place, true]);
  }
});

test("the code of a login does not show in the link, and is not signed for the link's purpose", async () => {
  const token = await linkToken(secret, "id");
  expect(token).toMatch(/^id\.[\w-]{43}$/);
  expect(token).not.toContain(await codeOf(secret, "id"));
});

test.each<[string, (code: string) => string]>([
  ["as it is", (code) => code],
  ["in two groups", (code) => `${code.slice(0, 3)} ${code.slice(3)}`],
  ["with a dash", (code) => `${code.slice(0, 3)}-${code.slice(3)}`],
  ["with spaces of other kinds", (code) => `\u00a0${[...code].join("\u2009")}\t\r\n`],
  ["with characters that nobody sees", (code) => `\u200b${[...code].join("\u2060")}\ufeff`],
  ["in full-width digits", (code) => shifted(code, 0xff10)],
  ["in Arabic digits", (code) => shifted(code, 0x0660)],
  ["in Persian digits", (code) => shifted(code, 0x06f0)],
  ["with a word before it", (code) => `Your code is ${code}.`],
])("what is typed for a code is read %s", (_, write) => {
  fc.assert(
    fc.property(code, (one) => {
      expect(readCode(write(one))).toBe(one);
    }),
  );
});

test.each(["", "12345", "1234567", "12345O", "123 45", "½23456", "x".repeat(6)])(
  "what is typed for a code is read as no code, if it has not six digits (%j)",
  (typed) => expect(readCode(typed)).toBeNull(),
);

test("what is typed for a code is read as no code, if it is long", () => {
  expect(readCode(`123456${" ".repeat(maxTyped)}`)).toBeNull();
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (typed) => {
      expect(readCode(typed) ?? "000000").toMatch(/^[0-9]{6}$/);
    }),
  );
});

function shifted(digits: string, zero: number): string {
  return [...digits].map((digit) => String.fromCharCode(zero + Number(digit))).join("");
}

test.each([
  ["Ada", "Ada"],
  ["  The \n Lanterns\t", "The   Lanterns"],
  ["مريم", "مريم"],
  ["👩‍👩‍👧".repeat(20), "👩‍👩‍👧".repeat(20)],
  ["x".repeat(60), "x".repeat(60)],
  ["A\u202eda", "Ada"],
])("an artist's name %j is taken", (entered, name) => expect(readArtistName(entered)).toBe(name));

test.each(["", " ", "\u200b\u2060", "\u3164", "x".repeat(61), "é".repeat(61), "x".repeat(9999)])(
  "an artist's name %j is refused in a sentence",
  (entered) => {
    const name = readArtistName(entered);
    expect(isRejection(name) && name.status).toBe(422);
    expect(isRejection(name) && name.error).toMatch(/^Enter .+\.$/);
  },
);

test("an artist's name can be seen, and has a line and a length", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 240 }), (entered) => {
      const name = readArtistName(entered);
      if (isRejection(name)) return;
      expect(name).toMatch(/^\S(.*\S)?$/u);
      expect(name.length).toBeLessThanOrEqual(240);
    }),
  );
});

test.each([
  [1, "1 minute"],
  [60_000, "1 minute"],
  [60_001, "2 minutes"],
  [59 * 60_000, "59 minutes"],
  [60 * 60_000, "1 hour"],
  [61 * 60_000, "2 hours"],
])("%d ms are told as %s", (ms, text) => expect(waitText(ms)).toBe(text));
