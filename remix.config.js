import { readdirSync } from "node:fs";
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
  ignoredRouteFiles: ["**/*.css", "**/.*", "**/*$*"],
  routes: (defineRoutes) =>
    defineRoutes((route) => {
      routesWithParameters(route);
      // A withdrawal is declared as a cancellation is.
      route("withdraw", "routes/cancel/route.tsx", { id: "routes/withdraw" });
    }),
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

/**
 * Defines the routes with "$" in their names as Remix does, but under ids without it. Of the ids come the
 * addresses of the browser's files, and Cloudflare redirects each with "$" to the one with "%24", which
 * costs a screen that opens another round trip.
 */
function routesWithParameters(route) {
  const entries = readdirSync(new URL("app/routes", import.meta.url), { withFileTypes: true });
  for (const entry of entries.filter(({ name }) => name.includes("$"))) {
    const name = entry.name.replace(/\.tsx?$/, "");
    const file = entry.isDirectory() ? `${entry.name}/route.tsx` : entry.name;
    const path = name
      .replaceAll("$", ":")
      .replace(/_?\.(?!\])/g, "/")
      .replace("[.]", ".");
    const id = `routes/${name.replaceAll("$", "-")}`;
    route(name === "$" ? "*" : path, `routes/${file}`, { id });
  }
}
