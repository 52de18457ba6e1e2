// biome-ignore-all lint/performance: it stands for all of a package
/**
 * What the Worker has in the place of the package `react-dom` (tsconfig.json, `paths`): nothing. It is
 * the browser's renderer, 43 KB compressed, which the router's library names and no request runs; the
 * browser gets the package. Rendering on the server is `react-dom/server`.
 */
export * from "./react-dom.client";
