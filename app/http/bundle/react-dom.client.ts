// biome-ignore-all lint/performance: it stands in for a whole package
/** The real package, imported by its file: its name leads to the stand-in. */
// @ts-expect-error: a file path has no types of its own.
export * from "../../../node_modules/react-dom/index.js";
