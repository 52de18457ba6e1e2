import product from "../../../remix.config.js";

/** The same settings as for the product, so that only the app differs. */
export default {
  ...product,
  routes: undefined,
  server: "./app/entry.worker.ts",
  serverBuildPath: "../../../.cache/bare/index.js",
  assetsBuildDirectory: "../../../.cache/bare/public/build",
};
