import fc from "fast-check";
import { expect, test } from "vitest";
import { toPlayback } from "~/sources/spotify/client/json";
import { recordingCode } from "~/sources/spotify/client/track";

const letter = fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZ");
const digit = fc.constantFrom(..."0123456789");
const written = fc
  .tuple(
    fc.array(letter, { minLength: 2, maxLength: 2 }),
    fc.array(fc.oneof(letter, digit), { minLength: 3, maxLength: 3 }),
    fc.array(digit, { minLength: 7, maxLength: 7 }),
  )
  .map((parts) => parts.map((part) => part.join("")));

test("a recording's code is the same however it is written", () => {
  fc.assert(
    fc.property(written, ([country = "", registrant = "", number = ""]) => {
      const code = country + registrant + number;
      const dashed = [country, registrant, number.slice(0, 2), number.slice(2)].join("-");
      for (const text of [code, code.toLowerCase(), dashed, ` ${code} `]) {
        expect(recordingCode(text)).toBe(code);
      }
    }),
  );
});

// Such values are found at many tracks that have nothing to do with each other.
test.each([
  undefined,
  null,
  "",
  " ",
  "-",
  "0",
  "000000000000",
  "N/A",
  "USRC1760783",
  "USRC176078391",
])("a recording's code is not %j", (text) => {
  expect(recordingCode(text)).toBeNull();
});

test("a recording's code of what plays is compared in the same form", () => {
  const item = { id: "0copy", external_ids: { isrc: "us-rc1-76-07839" } };
  expect(toPlayback({ is_playing: true, progress_ms: 0, item })?.isrc).toBe("USRC17607839");
});
