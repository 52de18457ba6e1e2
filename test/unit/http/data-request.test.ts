import { expect, test } from "vitest";
import { isReread } from "~/http/data-request";

const origin = "https://fivefold.example";

function asks(path: string, from: string | null, method = "GET"): boolean {
  const headers = from === null ? {} : { Referer: new URL(from, origin).href };
  return isReread(new Request(new URL(path, origin), { method, headers }));
}

test.each([
  ["/?_data=routes/_index", "/"],
  ["/?rated=s&_data=routes/_index", "/?rated=s"],
  ["/?rated=s&_data=routes/_index", "/"],
  ["/?menu=addownsong&_data=routes/_index", "/?menu=addownsong"],
  ["/?_data=routes/_index", "/?index"],
  ["/?index&_data=routes/_index", "/"],
  ["/ratings-of-my-songs?_data=routes/ratings-of-my-songs", "/ratings-of-my-songs"],
  ["/ratings-of-my-songs/?_data=routes/ratings-of-my-songs", "/ratings-of-my-songs/"],
  ["/ratings-of-my-songs?song=a%20b&_data=x", "/ratings-of-my-songs?song=a+b"],
])("%s for %s is the page reading itself again", (path, from) => {
  expect(asks(path, from)).toBe(true);
});

test.each([
  ["/", "/"],
  ["/?_data=routes/_index", "/ratings-of-my-songs"],
  ["/?_data=routes/_index", "/?menu=addownsong"],
  ["/?menu=addownsong&_data=routes/_index", "/"],
  ["/ratings-of-my-songs?_data=x", "/"],
  ["/ratings-of-my-songs?song=a&_data=x", "/ratings-of-my-songs?song=b"],
  ["/ratings-of-my-songs", "/ratings-of-my-songs"],
  ["/?_data=routes/_index", null],
  ["/?_data=routes/_index", "https://elsewhere.example/"],
])("%s from %s is somebody's doing", (path, from) => {
  expect(asks(path, from)).toBe(false);
});

test("a post is somebody's doing, and a Referer that is no address says nothing", () => {
  expect(asks("/?_data=routes/_index", "/", "POST")).toBe(false);
  const odd = new Request(`${origin}/?_data=x`, { headers: { Referer: "no address" } });
  expect(isReread(odd)).toBe(false);
});
