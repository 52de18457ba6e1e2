import { expect, test } from "vitest";
import { isUnreachable } from "~/components/layout/page-error";

/** Errors as the browsers throw them where a request gets no answer. */
test.each([
  ["Chrome", new TypeError("Failed to fetch")],
  ["Chrome, with the host", new TypeError("Failed to fetch (fivefold.example)")],
  ["Chrome, in the middle of a body", new TypeError("network error")],
  ["Firefox", new TypeError("NetworkError when attempting to fetch resource.")],
  ["Safari", withoutStack("Load failed")],
  ["Safari in German", withoutStack("Die Netzwerkverbindung wurde unterbrochen.")],
])("no answer in %s", (_browser, error) => {
  expect(isUnreachable(error)).toBe(true);
});

test.each([
  [new TypeError("AbortSignal.timeout is not a function")],
  [new TypeError("songs.toSorted is not a function. (In 'songs.toSorted()', …)")],
  [new TypeError("Cannot read properties of undefined (reading 'fetch')")],
  [new TypeError("can't access property 0, x is null")],
  [new Error("Failed to fetch")],
  [new DOMException("The operation was aborted.", "AbortError")],
  ["Failed to fetch"],
  [null],
])("%s is our own", (error) => {
  expect(isUnreachable(error)).toBe(false);
});

function withoutStack(message: string): TypeError {
  const error = new TypeError(message);
  delete error.stack;
  return error;
}
