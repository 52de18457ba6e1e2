import { expect, test } from "vitest";
import { areSongsBack } from "~/exchange/carousel/empty-pool/songs-again.server";

const day = 24 * 60 * 60 * 1000;
const now = 10 * day;

test.each([
  [0, 0, false],
  [1, now, false],
  [4, now - day + 1, false],
  [1, now - day, true],
  [5, now, true],
  [6, now, true],
])("%j songs for a package of five, there since %j: %j", (songs, since, back) => {
  expect(areSongsBack({ songs, since }, 5, now)).toBe(back);
});
