/**
 * What `wrangler dev` runs before it serves, and after each change in app/: builds the app and
 * brings the local database up to date, so that a bare `npx wrangler dev` works on a fresh clone.
 * `npm start` does both the first time itself, while wrangler starts; FIVEFOLD_FIRST_BUILD then
 * names the file in which it says how far it is.
 */
import { waitForFirstBuild } from "./start/first-build.ts";

const firstBuild = process.env.FIVEFOLD_FIRST_BUILD;
if (!firstBuild || !(await waitForFirstBuild(firstBuild))) {
  // The compiler takes long to load, and is only needed if the first build was not waited for.
  const { build } = await import("../../.ops/build.ts");
  const { prepareDatabase } = await import("./start/database.ts");
  const prepared = firstBuild ? null : prepareDatabase({ stateDir: ".wrangler" });
  const [built] = await Promise.all([build(), prepared]);
  if (!built) process.exitCode = 1;
}
