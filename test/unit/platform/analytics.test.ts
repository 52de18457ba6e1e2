import { expect, test } from "vitest";
import { analyticsFor } from "~/platform/analytics";

const counting = {
  scriptUrl: "https://count.example/script.js",
  attributes: {},
  reportOrigin: "https://count.example",
};

test.each([
  [{}, true],
  [{ DNT: "1" }, false],
  [{ "Sec-GPC": "1" }, false],
  [{ DNT: "0", "Sec-GPC": "1" }, false],
  [{ DNT: "0" }, true],
])("a visit with %j is counted: %j", (sent, counted) => {
  expect(analyticsFor(new Headers(sent), counting)).toBe(counted ? counting : null);
});
