import { expect, test } from "vitest";
import { isReread } from "~/http/reread";

const origin = "https://fivefold.example";

function asks(path: string, from: string | null, method = "GET"): boolean {
  const headers = from === null ? {} : { Referer: new URL(from, origin).href };
  return isReread(new Request(new URL(path, origin), { method, headers }));
}

test.each([
  ["/_root.data", "/"],
  ["/_root.data?rated=s", "/?rated=s"],
  ["/_root.data?rated=s", "/"],
  ["/_root.data?menu=addownsong&undone=u", "/?menu=addownsong"],
  ["/_root.data", "/?index"],
  ["/_root.data?menu=addownsong&_routes=routes%2F_index", "/?menu=addownsong"],
  ["/ratings-of-my-songs.data", "/ratings-of-my-songs"],
  ["/ratings-of-my-songs.data", "/ratings-of-my-songs/"],
  ["/ratings-of-my-songs.data?song=a%20b", "/ratings-of-my-songs?song=a+b"],
])("%s for %s is the page reading itself again", (path, from) => {
  expect(asks(path, from)).toBe(true);
});

test.each([
  ["/", "/"],
  ["/_root.data", "/ratings-of-my-songs"],
  ["/_root.data", "/?menu=addownsong"],
  ["/_root.data?menu=addownsong", "/"],
  ["/ratings-of-my-songs.data", "/"],
  ["/ratings-of-my-songs.data?song=a", "/ratings-of-my-songs?song=b"],
  ["/ratings-of-my-songs", "/ratings-of-my-songs"],
  ["/_root.data", null],
  ["/_root.data", "https://elsewhere.example/"],
])("%s from %s is somebody's doing", (path, from) => {
  expect(asks(path, from)).toBe(false);
});

test("a post is somebody's doing, and a Referer that is no address says nothing", () => {
  expect(asks("/_root.data", "/", "POST")).toBe(false);
  const odd = new Request(`${origin}/_root.data`, { headers: { Referer: "no address" } });
  expect(isReread(odd)).toBe(false);
});
