// biome-ignore-all lint/performance: it stands for all of a package
/** The package itself, by its file: by its name it would be what stands in its place. */
// @ts-expect-error: a file has no types of its own.
export * from "../../../node_modules/react-dom/index.js";
