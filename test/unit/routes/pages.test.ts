import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { pages } from "../../support/pages";

const routes = new URL("../../../app/routes/", import.meta.url);

test("the tests that look at every page know every page", () => {
  const folders = readdirSync(routes).filter((name) =>
    existsSync(new URL(`${name}/route.tsx`, routes)),
  );
  // The design system is for development alone, and the operator's page for hardly anybody: their own
  // tests look at them.
  const paths = folders
    .filter((name) => name !== "design" && name !== "operator")
    .map((name) => `/${name.replace(/_?\./g, "/").replace(/\$\w+/, "none")}`);
  expect(paths.map((path) => (path === "/_index" ? "/" : path)).sort()).toEqual([...pages]);
});
