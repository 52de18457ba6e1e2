/**
 * `npm run build`: `remix build`, for production whatever NODE_ENV says; `node .ops/build.ts <folder>`
 * builds another Remix app. With `--quick` the scripts of pages are some kilobytes longer. Exit code 1 where that fails.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readArguments } from "./command-line.ts";
import { packScripts } from "./public-scripts.ts";

const { words, options } = readArguments({
  usage: "npm run build -- [folder] [--quick]",
  options: { quick: { type: "boolean" } },
  words: { most: 1 },
});
const remix = fileURLToPath(import.meta.resolve("@remix-run/dev/dist/cli.js"));
const { status } = spawnSync(process.execPath, [remix, "build", ...words], {
  env: { ...process.env, NODE_ENV: "production" },
  stdio: "inherit",
});
if (status !== 0) process.exit(1);
if (words.length === 0) {
  await packScripts(process.env.FIVEFOLD_BUILD_DIR ?? "", { shortens: !options.quick });
}
