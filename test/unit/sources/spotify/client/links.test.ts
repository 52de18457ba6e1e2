/** Only links to Spotify's own pages, and Spotify's pictures, get onto ours, whatever an answer says. */
import { afterEach, expect, test, vi } from "vitest";
import { createRequestState } from "~/sources/spotify/client/requests";
import { createSpotify } from "~/sources/spotify/client/web-api.server";

const openUrl = "https://open.spotify.com";
const own = `${openUrl}/track/0own`;
const foreign = [
  "https://elsewhere.example/track/0own",
  "http://open.spotify.com/track/0own",
  "https://open.spotify.com.elsewhere.example/track/0own",
  "https://open.spotify.com@elsewhere.example/track/0own",
  "javascript:alert(1)//https://open.spotify.com/",
  "https:open.spotify.com/track/0own",
  "data:text/html,x",
  "https://open.spotify.com",
  "",
];

afterEach(() => {
  vi.unstubAllGlobals();
});

function trackWith(spotify: string, id = "0track") {
  return {
    id,
    name: "Song",
    artists: [{ name: "Artist" }],
    album: { name: "Album", images: [] },
    duration_ms: 1000,
    external_urls: { spotify },
  };
}

/** Spotify as it answers every request with the same. */
function answering(answer: object, imageOrigins = "https://i.scdn.co https://mosaic.scdn.co") {
  vi.stubGlobal("fetch", async () => Response.json(answer));
  return createSpotify({
    apiUrl: "https://api.example",
    openUrl,
    imageOrigins,
    caller: { appOrigin: "https://fivefold.example", contactEmail: "help@fivefold.example" },
    clientId: "client",
    accessToken: async () => "token",
    requestState: createRequestState(),
    legacyCalls: new Map(),
    now: Date.now,
  });
}

test("a link to Spotify's own page is accepted", async () => {
  expect(await answering(trackWith(own)).track("0track")).toMatchObject({ spotifyUrl: own });
});

test.each(foreign)(
  "a link that leads elsewhere (%j) makes a track and an album unreadable, and removes a song from a list",
  async (link) => {
    const unreadable = { status: 502 };
    await expect(answering(trackWith(link)).track("0track")).rejects.toMatchObject(unreadable);
    const album = { id: "0album", name: "Album", artists: [], external_urls: { spotify: link } };
    await expect(answering(album).album("0album")).rejects.toMatchObject(unreadable);
    const items = [trackWith(link, "0foreign"), trackWith(own, "0own")];
    const found = await answering({ tracks: { items } }).searchTracks("song");
    expect(found.items.map(({ trackId }) => trackId)).toEqual(["0own"]);
  },
);

const link = { external_urls: { spotify: own } };
const pictured = (url: string) => ({ id: "0it", name: "It", images: [{ url }], ...link });

/** The picture that is taken of a song, of a song that was found, of an artist and of a profile. */
async function taken(url: string, origins?: string) {
  const track = { ...trackWith(own), album: pictured(url) };
  return [
    (await answering(track, origins).track("0track"))?.artUrl,
    (await answering({ tracks: { items: [track] } }, origins).searchTracks("song")).items[0]
      ?.artUrl,
    (await answering(pictured(url), origins).artist("0it"))?.imageUrl,
    (await answering(pictured(url), origins).profile()).imageUrl,
  ];
}

test.each(["https://i.scdn.co/image/a", "https://mosaic.scdn.co/640/b"])(
  "a picture that the pages may show is taken: %s",
  async (url) => {
    expect(await taken(url)).toEqual([url, url, url, url]);
  },
);

test.each([
  "https://platform-lookaside.fbsbx.com/platform/profilepic/?asid=1",
  "http://i.scdn.co/image/a",
  "https://i.scdn.co.elsewhere.example/a",
  "https://i.scdn.co@elsewhere.example/a",
  "https://i.scdn.co",
  "https:i.scdn.co/a",
  "//i.scdn.co/a",
  "data:image/svg+xml,x",
  "javascript:alert(1)",
  "",
])("a picture from elsewhere is left out, and nothing else: %j", async (url) => {
  expect(await taken(url)).toEqual([null, null, null, null]);
});

test("a picture from any host is taken where the pages may show all that is safe", async () => {
  const [safe, unsafe] = ["https://elsewhere.example/a", "http://elsewhere.example/a"];
  expect(await taken(safe, "https:")).toEqual([safe, safe, safe, safe]);
  expect(await taken(unsafe, "https:")).toEqual([null, null, null, null]);
});
