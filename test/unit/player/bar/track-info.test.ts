import { expect, test } from "vitest";
import { fetchTrackInfo } from "~/player/bar/track-info";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import { recordingCall } from "../support.ts";

const answer = {
  name: "Paper Lanterns",
  artists: [{ name: "Ada" }, { name: "Bo" }],
  album: { images: [{ url: "https://i.scdn.co/large" }, { url: "https://i.scdn.co/small" }] },
};

test("a track's title, artists and second largest cover are read from Spotify", async () => {
  const { call, requests } = recordingCall(() => answer);
  expect(await fetchTrackInfo(call, "track-1")).toEqual({
    title: "Paper Lanterns",
    artists: ["Ada", "Bo"],
    artUrl: "https://i.scdn.co/small",
  });
  expect(requests).toEqual([{ path: "/v1/tracks/track-1" }]);
});

test.each([
  ["no album", { ...answer, album: undefined }, { artUrl: null }],
  ["no cover", { ...answer, album: { images: [] } }, { artUrl: null }],
  ["an artist without a name", { ...answer, artists: [{}, { name: "Bo" }] }, { artists: ["Bo"] }],
])("a track with %s is accepted", async (_name, track, info) => {
  const { call } = recordingCall(() => track);
  expect(await fetchTrackInfo(call, "track-1")).toMatchObject(info);
});

test.each([
  ["nothing", null],
  ["a body that is not JSON", undefined],
  ["a track without a title", { ...answer, name: "" }],
  ["a track without artists", { ...answer, artists: [] }],
  ["some other object", { error: "odd" }],
])("%s is rejected", async (_name, track) => {
  const { call } = recordingCall(() => track);
  await expect(fetchTrackInfo(call, "track-1")).rejects.toThrow("no track");
});

test("an error from Spotify is passed on", async () => {
  const { call } = recordingCall(() => {
    throw new SpotifyError(404, "Not found");
  });
  await expect(fetchTrackInfo(call, "track-1")).rejects.toThrow("HTTP 404: Not found");
});
