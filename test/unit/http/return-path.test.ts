import fc from "fast-check";
import { expect, test } from "vitest";
import { returnPath } from "~/http/return-path";

/** Three pages allow it; nothing else does. The router takes several slashes for one. */
const routes = {
  nameOf: (path: string) => (/^\/+$/.test(path) ? "/" : path),
  handleOf: (name: string) =>
    ["/", "/account", "/ratings-of-my-songs"].includes(name) ? { returnTarget: true as const } : {},
};

test.each([
  "/",
  "/account",
  "/ratings-of-my-songs",
  "/ratings-of-my-songs?song=a%20b#song-a%20b",
  "/?menu=addownsong",
])("%s is accepted", (path) => {
  expect(returnPath(path, routes)).toBe(path);
});

test.each([
  "https://evil.example/account",
  "//evil.example/account",
  "/\\evil.example/account",
  "/\t/evil.example",
  "/..//",
  "/.//?evil.example",
  "javascript:alert(1)",
  "account",
  "/account/../logout",
  "/logout",
  "",
  `/?${"x".repeat(400)}`,
  null,
  undefined,
  7,
])("%j is replaced by the front page", (asked) => {
  expect(returnPath(asked, routes)).toBe("/");
});

const piece = fc.constantFrom(
  ...["/", "\\", "//", "..", ".", "?", "#", "@", ":", "%2f", "\t", "\n", " ", "\u0000", "é"],
  ...["https:", "javascript:", "evil.example", "account", "ratings-of-my-songs", "logout"],
);

test("whatever is given, the path leads to a page of this site", () => {
  fc.assert(
    fc.property(fc.constantFrom("", "/"), fc.array(piece, { maxLength: 8 }), (start, pieces) => {
      const asked = start + pieces.join("");
      const url = new URL(returnPath(asked, routes), "https://fivefold.example");
      expect(url.origin).toBe("https://fivefold.example");
      expect(["/", "/ratings-of-my-songs", "/account"]).toContain(url.pathname);
    }),
    { numRuns: 500 },
  );
});
