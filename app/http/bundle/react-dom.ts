// biome-ignore-all lint/performance: it stands in for a whole package
/** Empty in the Worker, where no request runs the 43 KB that the router imports. Browsers get the real one. */
export * from "./react-dom.client";
