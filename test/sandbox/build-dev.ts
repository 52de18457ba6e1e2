/**
 * The build command of `wrangler dev`: builds the app and migrates the local database, so that a bare `npx
 * wrangler dev` works on a fresh clone. `npm start` does both itself the first time and says so in the file
 * named by FIVEFOLD_FIRST_BUILD.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { waitForFirstBuild } from "./start/first-build.ts";

const firstBuild = process.env.FIVEFOLD_FIRST_BUILD;
if (!firstBuild || !(await waitForFirstBuild(firstBuild))) {
  const built = once(
    spawn(process.execPath, [".ops/build.ts", "--quick"], { stdio: "inherit" }),
    "exit",
  );
  // What prepares the database takes long to load, and is not needed after the first build.
  const { prepareDatabase } = await import("./start/database.ts");
  const prepared = firstBuild ? null : prepareDatabase({ stateDir: ".wrangler" });
  const [[code]] = await Promise.all([built, prepared]);
  process.exitCode = code ?? 1;
}
