import { expect, test, vi } from "vitest";
import { readLink, readPastedLink } from "~/sources/spotify/client/link-reader.server";

const hosts = {
  openUrl: "https://open.spotify.com",
  shareUrls: ["https://spotify.link", "https://spotify.app.link"],
};
const id = "4uLU6hMCjMI75M1A2tKUQC";
const track = { kind: "track", id };
const foreign = { kind: "foreign" };

test.each([
  [`https://open.spotify.com/track/${id}`, track],
  [`https://open.spotify.com/track/${id}?si=1f2e3d4c&context=spotify%3Aalbum%3Ax`, track],
  [`https://open.spotify.com/intl-de/track/${id}?si=x`, track],
  [`https://open.spotify.com/embed/track/${id}`, track],
  [`http://open.spotify.com/track/${id}#t`, track],
  [` open.spotify.com/track/${id} `, track],
  [`Hear this: https://open.spotify.com/track/${id}?si=x and say`, track],
  [`spotify:track:${id}`, track],
  [`\u200bspotify:track:${id}\ufeff`, track],
  [`<spotify:track:${id}>`, track],
  [`Hear this: spotify:track:${id}?si=x`, track],
  [`spotify://track/${id}`, track],
  [`\u2068open.spotify.com/track/${id}\u2069`, track],
  [`Hear this: open.spotify.com/track/${id}`, track],
  [
    `https://open.spotify.com/al\u00adbum/${id}?highlight=spotify:track:${id}`,
    { kind: "album", id },
  ],
  [`https://youtu.be/x or https://open.spotify.com/track/${id}`, track],
  [`https://youtu.be/open.spotify.com/track/${id}`, foreign],
  [`notspotify:track:${id}`, null],
  [`https://open.spotify.com/album/${id}?si=x`, { kind: "album", id }],
  ["https://open.spotify.com/album/x", { kind: "foreign" }],
  [`https://open.spotify.com/intl-fr/playlist/${id}`, { kind: "other", what: "playlist" }],
  [`spotify:artist:${id}`, { kind: "artist", id }],
  [`spotify:user:somebody:playlist:${id}`, { kind: "other", what: "playlist" }],
  ["https://open.spotify.com/", { kind: "other", what: "page" }],
  ["https://spotify.link/hRkBrwub9xb", { kind: "share", url: "https://spotify.link/hRkBrwub9xb" }],
  ["spotify.app.link/a-B_9?si=x&_p=y", { kind: "share", url: "https://spotify.app.link/a-B_9" }],
  [
    "https://open.spotify.com/s/2czejYu",
    { kind: "share", url: "https://open.spotify.com/s/2czejYu" },
  ],
  ["https://open.spotify.com/track/short", foreign],
  [`https://open.spotify.com.evil.example/track/${id}`, foreign],
  [`https://open.spotify.com@evil.example/track/${id}`, foreign],
  ["https://spotify.link.evil.example/x", foreign],
  ["https://spotify.link:8443/x", foreign],
  ["http://169.254.169.254/latest/meta-data", foreign],
  ["Midnight Meadow", null],
  ["spotify", null],
  ["AC/DC: live", null],
  ["", null],
])("%j is %j", (text, link) => {
  expect(readPastedLink(text, hosts)).toEqual(link);
});

/** Answers with the next of these places, or with an error that is a number. */
function leadingTo(...places: (string | number)[]) {
  return vi.fn(async (_url: RequestInfo | URL, _init?: RequestInit) => {
    const next = places.shift() ?? 404;
    if (next === 0) throw new TypeError("no network");
    return typeof next === "number"
      ? new Response(null, { status: next })
      : new Response("a page", { status: 307, headers: { Location: next } });
  });
}

test("a short address is followed over both hosts to the song, asking only them", async () => {
  const fetch = leadingTo(
    "https://spotify.app.link/abc?si=x",
    `https://open.spotify.com/track/${id}?si=x`,
  );
  expect(
    await readLink("https://spotify.link/abc?to=http://evil.example", { ...hosts, fetch }),
  ).toEqual(track);
  expect(fetch.mock.calls.map(([url, init]) => [url, init?.redirect])).toEqual([
    ["https://spotify.link/abc", "manual"],
    ["https://spotify.app.link/abc", "manual"],
  ]);
});

test.each([
  ["https://evil.example/track"],
  ["http://127.0.0.1/"],
  ["//evil.example"],
  ["::"],
  ["https://apps.apple.com/app/spotify/id324684580"],
  ["https://play.google.com/store/apps/details?id=com.spotify.music"],
  ["market://details?id=com.spotify.music"],
  ["https://open.spotify.com/track/none"],
  [200],
  [401],
  [403],
  [404],
  [410],
])("a short address that leads to %j goes no further, and could not be followed", async (place) => {
  const fetch = leadingTo(place);
  const reading = readLink("spotify.link/abc", { ...hosts, fetch });
  await expect(reading).rejects.toMatchObject({ status: 404, outage: false });
  expect(fetch).toHaveBeenCalledTimes(1);
});

test.each([
  [`https://open.spotify.com/album/${id}`, { kind: "album", id }],
  [`spotify:track:${id}`, track],
  ["https://open.spotify.com/", { kind: "other", what: "page" }],
])("a short address that leads to %s is read", async (place, link) => {
  const fetch = leadingTo(place);
  expect(await readLink("spotify.link/abc", { ...hosts, fetch })).toEqual(link);
});

test("a short address that leads round in circles is given up", async () => {
  const fetch = leadingTo(...Array(9).fill("https://spotify.link/abc"));
  const reading = readLink("spotify.link/abc", { ...hosts, fetch });
  await expect(reading).rejects.toMatchObject({ status: 404 });
  expect(fetch).toHaveBeenCalledTimes(3);
});

test.each([0, 429, 500, 503])(
  "a short address that is answered with %i is an outage",
  async (status) => {
    const fetch = leadingTo(status);
    await expect(readLink("spotify.link/abc", { ...hosts, fetch })).rejects.toMatchObject({
      status,
    });
  },
);

test("a short address is none in a text without a link, and nobody is asked", async () => {
  const fetch = leadingTo();
  expect(await readLink("Midnight Meadow", { ...hosts, fetch })).toBeNull();
  expect(await readLink(`spotify:track:${id}`, { ...hosts, fetch })).toEqual(track);
  expect(fetch).not.toHaveBeenCalled();
});
