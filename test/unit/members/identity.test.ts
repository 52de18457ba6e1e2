import { expect, test } from "vitest";
import { isAmong } from "~/members/identity";

test.each<[string, string | null, string | null, boolean]>([
  ["ada", "ada", null, true],
  ["ada", "Ada", null, false],
  ["ada", null, "ada@mail.example", false],
  [" Ada@Mail.Example", null, "ada@mail.example", true],
  ["ada@mail.example", "somebody", "ADA@mail.example", true],
  ["ada@mail.example", null, "ada+x@mail.example", false],
  // Only the very address, whatever begins or ends alike, and whatever is the same mailbox.
  ["ada@mail.example", null, "nada@mail.example", false],
  ["ada@mail.example", null, "ada@mail.example.org", false],
  ["ada@mail.example", null, "x.ada@mail.example", false],
  ["ada@mail.example", null, "ada@mail.exampl", false],
  ["ada@mail.example", null, "da@mail.example", false],
  ["ada@gmail.com", null, "a.da@gmail.com", false],
  // An id at Spotify that is written like an address is no proof of it.
  ["ada@mail.example", "ada@mail.example", null, false],
  ["ada@mail.example", "ada@mail.example", "eve@mail.example", false],
  ["", null, null, false],
])("with OPERATORS = %j, Spotify's %j and address %j: %j", (operator, spotifyId, ownEmail, is) => {
  expect(isAmong(["somebody-else", operator], { spotifyId, ownEmail })).toBe(is);
});
