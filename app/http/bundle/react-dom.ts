// biome-ignore-all lint/performance: it stands in for a whole package
/**
 * Stands in for the package `react-dom` in the Worker, and is empty there. The package is the
 * browser's renderer, 43 KB compressed, which the router's library imports and no request runs.
 * Browsers get the real package. The server renders with `react-dom/server`.
 */
export * from "./react-dom.client";
