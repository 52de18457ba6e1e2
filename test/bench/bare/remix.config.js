import product from "../../../remix.config.js";

/** As the product is built, so that nothing but the app differs. */
export default {
  ...product,
  server: "./app/entry.worker.ts",
  serverBuildPath: "../../../.cache/bare/index.js",
  assetsBuildDirectory: "../../../.cache/bare/public/build",
};
