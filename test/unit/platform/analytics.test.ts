import { expect, test } from "vitest";
import { analyticsFor } from "~/platform/analytics";

const counting = {
  scriptUrl: "https://count.example/script.js",
  attributes: {},
  reportOrigin: "https://count.example",
};

test.each([
  { sent: {}, counted: true },
  { sent: { DNT: "1" }, counted: false },
  { sent: { "Sec-GPC": "1" }, counted: false },
  { sent: { DNT: "0", "Sec-GPC": "1" }, counted: false },
  { sent: { DNT: "0" }, counted: true },
])("a visit with $sent is counted: $counted", ({ sent, counted }) => {
  expect(analyticsFor(new Headers(sent), counting)).toBe(counted ? counting : null);
});
