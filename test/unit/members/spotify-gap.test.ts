import { expect, test } from "vitest";
import { spotifyGap } from "~/members/spotify-gap";
import { connection } from "./connection";

const connected = { way: "spotify", spotify: connection, endedBySpotify: false } as const;
const freeAtSpotify = { ...connected, spotify: { ...connection, hasPremium: false } };
const unconnected = { way: "email", spotify: null, endedBySpotify: false } as const;
const purposes = ["play", "add", "playlist"] as const;

test("somebody connected lacks nothing, and without Premium only what plays", () => {
  for (const purpose of purposes) {
    expect(spotifyGap({ session: connected }, purpose, true)).toBeNull();
    const gap = spotifyGap({ session: freeAtSpotify }, purpose, true);
    expect(gap !== null).toBe(purpose === "play");
  }
});

test("a session by Spotify logs in again to be asked for Premium, one by e-mail connects again", () => {
  const gap = (way: "spotify" | "email") =>
    spotifyGap({ session: { ...freeAtSpotify, way } }, "play", true);
  expect(gap("spotify")).toEqual({
    text: "Songs from Spotify play here only with Spotify Premium, which your account there does not have.",
    form: { action: "/login", label: "Ask Spotify again" },
  });
  expect(gap("email")?.form?.action).toBe("/account/spotify");
});

test("somebody unconnected is offered to connect, in words for what they want", () => {
  const gaps = purposes.map((purpose) => spotifyGap({ session: unconnected }, purpose, true));
  expect(gaps.map((gap) => gap?.text)).toEqual([
    "Connect Spotify to play songs from Spotify. You need Spotify Premium for that.",
    "Connect Spotify to submit a song from Spotify.",
    "Connect Spotify to put songs into your playlists.",
  ]);
  for (const gap of gaps) {
    expect(gap?.form).toEqual({ action: "/account/spotify", label: "Connect Spotify" });
  }
});

test("whose connection Spotify has ended is told so", () => {
  const session = { ...unconnected, endedBySpotify: true };
  expect(spotifyGap({ session }, "add", true)?.text).toBe(
    "Spotify has ended its connection to Fivefold. Connect it again to submit a song from Spotify.",
  );
});

test("without an app at Spotify nothing offers to connect it", () => {
  for (const purpose of purposes) {
    for (const session of [unconnected, { ...unconnected, endedBySpotify: true }, freeAtSpotify]) {
      const gap = spotifyGap({ session }, purpose, false);
      expect(gap?.form ?? null).toBeNull();
      expect(gap?.text ?? "").not.toContain("Connect");
    }
  }
});
