import { expect, test } from "vitest";
import { isAmong } from "~/members/identity";

test.each<[string, string | null, string | null, boolean]>([
  ["ada", "ada", null, true],
  ["ada", "Ada", null, false],
  ["ada", null, "ada@mail.example", false],
  [" Ada@Mail.Example", null, "ada@mail.example", true],
  ["ada@mail.example", "somebody", "ADA@mail.example", true],
  ["ada@mail.example", null, "ada+x@mail.example", false],
  // An id at Spotify that is written like an address is no proof of it.
  ["ada@mail.example", "ada@mail.example", null, false],
  ["ada@mail.example", "ada@mail.example", "eve@mail.example", false],
  ["", null, null, false],
])("with OPERATORS = %j, Spotify's %j and address %j: %j", (operator, spotifyId, ownEmail, is) => {
  expect(isAmong(["somebody-else", operator], { spotifyId, ownEmail })).toBe(is);
});
