/**
 * Stands in for `react/jsx-runtime` with its functions as exports by name. Of the real package, which is
 * CommonJS, each element would look its function up: a kilobyte of the browser's scripts.
 */
// @ts-expect-error: a file path has no types of its own.
import * as runtime from "../../../node_modules/react/jsx-runtime.js";

const { Fragment, jsx } =
  runtime as typeof import("../../../node_modules/@types/react/jsx-runtime");

// `jsxs` is for several children; in production it is the same function.
export { Fragment, jsx, jsx as jsxs };
