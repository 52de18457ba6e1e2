/** Only links to Spotify's own pages get onto ours, whatever a response contains. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { createRequestState } from "~/adapters/spotify/requests";
import { createSpotify } from "~/adapters/spotify/web-api.server";

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

/** A client of a Spotify that gives every request the same response. */
function answering(answer: object) {
  vi.stubGlobal("fetch", async () => Response.json(answer));
  return createSpotify({
    apiUrl: "https://api.example",
    openUrl,
    caller: { appOrigin: "https://fivefold.example", contactEmail: "help@fivefold.example" },
    clientId: "client",
    accessToken: async () => "token",
    requestState: createRequestState(),
    legacyCalls: new Set(),
    now: Date.now,
  });
}

test("a link to Spotify's own page is accepted", async () => {
  expect(await answering(trackWith(own)).track("0track")).toMatchObject({ spotifyUrl: own });
});

describe.each(foreign)("a link that leads elsewhere (%j)", (link) => {
  test("makes a track unreadable", async () => {
    await expect(answering(trackWith(link)).track("0track")).rejects.toMatchObject({ status: 502 });
  });

  test("makes an album unreadable", async () => {
    const album = { id: "0album", name: "Album", external_urls: { spotify: link } };
    await expect(answering(album).album("0album")).rejects.toMatchObject({ status: 502 });
  });

  test("removes a song from a list, but not the others", async () => {
    const items = [trackWith(link, "0foreign"), trackWith(own, "0own")];
    const found = await answering({ tracks: { items } }).searchTracks("song");
    expect(found.map(({ trackId }) => trackId)).toEqual(["0own"]);
  });
});
