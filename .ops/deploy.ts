/**
 * `npm run deploy`: checks, migrates, deploys and waits for health (.ops/README.md, "Going live");
 * `npm run deploy -- --check` only checks. Exit code 1 where it did not come to its end.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readArguments } from "./command-line.ts";
import { type ProductionConfig, readProduction } from "./configuration.ts";
import { check, deploy, type Outcome, type Outside } from "./deployment.ts";

const { options } = readArguments({
  usage: "npm run deploy -- [--check]",
  options: { check: { type: "boolean" } },
});
process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const outside: Outside = {
  run,
  fetch: (url) => fetch(url, { redirect: "manual", signal: AbortSignal.timeout(10_000) }),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  print: (line) => console.log(line),
};
const release = {
  config: configOrExit(),
  version: JSON.parse(readFileSync("package.json", "utf8")).version as string,
};
const done = await (options.check ? check : deploy)(release, outside);
process.exit(done ? 0 : 1);

function configOrExit(): ProductionConfig {
  try {
    return readProduction(readFileSync("wrangler.toml", "utf8"));
  } catch (error) {
    console.error(`wrangler.toml cannot be read. ${(error as Error).message}`);
    process.exit(1);
  }
}

/** Without a terminal, so that nothing waits for an answer. */
function run(command: string, args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, CI: "1", NO_COLOR: "1", WRANGLER_SEND_METRICS: "false" },
      // npm puts a .cmd there on Windows, which only a shell runs. The arguments hold no spaces.
      shell: process.platform === "win32",
    });
    const outcome: Outcome = { code: 1, stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (outcome.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (outcome.stderr += text));
    child.on("error", (error) => resolve({ ...outcome, stderr: error.message }));
    child.on("close", (code) => resolve({ ...outcome, code: code ?? 1 }));
  });
}
