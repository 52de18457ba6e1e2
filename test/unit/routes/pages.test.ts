import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { pages } from "../../support/pages";

const routes = new URL("../../../app/routes/", import.meta.url);

test("the tests that look at every page know every page", () => {
  const folders = readdirSync(routes).filter((name) =>
    existsSync(new URL(`${name}/route.tsx`, routes)),
  );
  // The operator's page is for hardly anybody: its own tests look at it.
  const paths = folders
    .filter((name) => name !== "operator")
    .map((name) => `/${name.replace(/_?\./g, "/").replace(/\$\w+/, "none")}`);
  expect(paths.map((path) => (path === "/_index" ? "/" : path)).sort()).toEqual(
    // A withdrawal has the route of a cancellation.
    pages.filter((path) => path !== "/withdraw"),
  );
});
