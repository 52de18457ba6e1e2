import { expect, it } from "vitest";
import { hearsSpotify } from "~/members/hearing";
import { connection } from "./connection";

it.each([
  ["connected with Premium", connection, true],
  ["connected, Premium unknown", { ...connection, hasPremium: null }, true],
  ["connected without Premium", { ...connection, hasPremium: false }, false],
  ["not connected", null, false],
])("tells whether Spotify's songs may play: %s", (_, spotify, hears) => {
  expect(hearsSpotify({ session: { spotify } })).toBe(hears);
});
