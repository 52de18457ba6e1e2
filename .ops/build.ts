/**
 * `npm run build`: `remix build`, for production whatever NODE_ENV says; `node .ops/build.ts <folder>`
 * builds another Remix app. Exit code 1 where that fails.
 */
import { cli } from "@remix-run/dev";
import { readArguments } from "./command-line.ts";
import { keepScriptsOfPages } from "./public-scripts.ts";

const { words } = readArguments({ usage: "npm run build -- [folder]", words: { most: 1 } });
process.env.NODE_ENV = "production";
await cli.run(["build", ...words]);
if (words.length === 0) keepScriptsOfPages(process.env.FIVEFOLD_BUILD_DIR ?? "");
// As the command does, which leaves its compiler open.
process.exit();
