import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Cover, coverOf } from "~/components/song/cover";

test("an own recording without a picture has the cover that is drawn from its hash, at every width", () => {
  const hash = "a".repeat(43);
  const markup = renderToStaticMarkup(createElement(Cover, { track: coverOf(hash) }));
  expect(markup).toContain(` src="/covers/${hash}.svg"`);
  expect(markup).toContain(` srcSet="/covers/${hash}.svg 640w"`);
});
