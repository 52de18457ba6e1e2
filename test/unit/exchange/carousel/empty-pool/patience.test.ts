import { expect, test } from "vitest";
import { areSongsBack } from "~/exchange/carousel/empty-pool/songs-again.server";

const day = 24 * 60 * 60 * 1000;
const now = 10 * day;

test.each([
  { songs: 0, since: 0, back: false },
  { songs: 1, since: now, back: false },
  { songs: 4, since: now - day + 1, back: false },
  { songs: 1, since: now - day, back: true },
  { songs: 5, since: now, back: true },
  { songs: 6, since: now, back: true },
])("$songs songs for a package of five, there since $since: $back", ({ songs, since, back }) => {
  expect(areSongsBack({ songs, since }, 5, now)).toBe(back);
});
