import { join } from "node:path";

/** `npm start` builds into a folder of its own, which `npm run build` and tests leave alone. */
const folder = process.env.FIVEFOLD_BUILD_DIR ?? "";

/** @type {import("@remix-run/dev").AppConfig} */
export default {
  server: "./app/entry.worker.ts",
  serverBuildPath: join(folder, "build/index.js"),
  assetsBuildDirectory: join(folder, "public/build"),
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
