/**
 * Stands in for `react-dom/server` in the Worker: the half of it that renders a page as one string. The
 * other half renders streams, which nothing asks for, and is as large again. The real package is imported
 * by its file, because its name leads here.
 */
import type * as Real from "../../../node_modules/@types/react-dom/server";
// @ts-expect-error: a file path has no types of its own.
import renderer from "../../../node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.min.js";

export const {
  renderToStaticMarkup,
  renderToString,
}: Pick<typeof Real, "renderToStaticMarkup" | "renderToString"> = renderer;
