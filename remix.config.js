/** @type {import("@remix-run/dev").AppConfig} */
export default {
  server: "./app/entry.worker.ts",
  serverBuildPath: "build/index.js",
  serverModuleFormat: "esm",
  serverPlatform: "neutral",
  serverConditions: ["workerd", "worker", "browser"],
  serverMainFields: ["browser", "module", "main"],
  serverDependenciesToBundle: "all",
  ignoredRouteFiles: ["**/*.css", "**/.*"],
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    // With it the browser would have to wait for a stream of the page's data before React can take the
    // page over, and loaders here answer everything at once (app/entry.client.tsx).
    v3_singleFetch: false,
    // A page comes with the list of all routes, so that moving on asks for the next page's data alone.
    v3_lazyRouteDiscovery: false,
  },
};
