/** `react/jsx-runtime` with exports by name: with the CommonJS package each element looks its function up. */
// @ts-expect-error: a file path has no types of its own.
import * as runtime from "../../../node_modules/react/jsx-runtime.js";

const { Fragment, jsx } =
  runtime as typeof import("../../../node_modules/@types/react/jsx-runtime");

export { Fragment, jsx, jsx as jsxs };
