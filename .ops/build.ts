/**
 * `npm run build`: `remix build`, for production whatever NODE_ENV says; `node .ops/build.ts <folder>`
 * builds another Remix app. Exit code 1 where that fails.
 */
import { cli } from "@remix-run/dev";
import { keepScriptsOfPages } from "./public-scripts.ts";

process.env.NODE_ENV = "production";
await cli.run(["build", ...process.argv.slice(2)]);
if (process.argv.length === 2) keepScriptsOfPages(process.env.FIVEFOLD_BUILD_DIR ?? "");
// As the command does, which leaves its compiler open.
process.exit();
