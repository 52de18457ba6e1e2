import fc from "fast-check";
import { expect, test } from "vitest";
import { guardRequest } from "~/http/guard";
import { isRejection } from "~/platform/rejection";

const origin = "https://fivefold.example";

/** Whether a post that names this origin is let through. */
function isLetIn(from: string): boolean {
  const url = new URL("/songs/s/rating", origin);
  const request = new Request(url, { method: "POST", headers: { Origin: from } });
  return !isRejection(guardRequest(request, url));
}

test("a post from the app's own origin is let through", () => {
  expect(isLetIn(origin)).toBe(true);
});

test("a post from an origin that begins with the app's own, or ends with it, is refused", () => {
  const part = fc.stringMatching(/^[\w.:@/-]{1,20}$/);
  fc.assert(
    fc.property(part, (more) => {
      for (const from of [`${origin}${more}`, `${more}${origin}`])
        expect(isLetIn(from)).toBe(false);
    }),
  );
});

test("a post from what is only a part of the app's own origin is refused", () => {
  const parts = fc.tuple(fc.nat(origin.length), fc.nat(origin.length));
  fc.assert(
    fc.property(parts, ([start, end]) => {
      const from = origin.slice(start, end);
      expect(isLetIn(from)).toBe(from === origin);
    }),
  );
});

test.each([
  "https://fivefold.example.evil.example",
  "https://fivefold.example:8443",
  "https://fivefold.example@evil.example",
  "https://www.fivefold.example",
  "http://fivefold.example",
  "https://FIVEFOLD.example",
  "https://fivefold.example/",
  "https://fivefold.exampl",
  "https://",
  "null",
  "",
])("a post from %j is refused", (from) => {
  expect(isLetIn(from)).toBe(false);
});

test("a post from another site that unsubscribes is let through as nobody's", () => {
  const url = new URL("/unsubscribe?token=t", origin);
  const headers = { Origin: "https://mail.example", Cookie: "__Host-session=s" };
  const request = guardRequest(new Request(url, { method: "POST", headers }), url);
  if (isRejection(request)) throw new Error(request.error);
  expect([...request.headers.keys()]).toEqual([]);
});
