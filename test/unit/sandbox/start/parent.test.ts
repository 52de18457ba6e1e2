import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";

const module = join(process.cwd(), "test/sandbox/start/parent.ts");
/** Says what it is doing, and goes on until its parent has gone. */
const child = `
import { onParentGone } from ${JSON.stringify(module)};
const work = setInterval(() => {}, 1000);
onParentGone(() => { console.log("stopped"); clearInterval(work); });
console.log("started");
`;
/** Starts the child on its own outputs, as npm starts a script. */
const parent = `
const args = ["--input-type=module", "-e", ${JSON.stringify(child)}];
require("node:child_process").spawn(process.execPath, args, { stdio: "inherit" });
`;

test("a program notices that the npm that started it has been ended", {
  timeout: 20_000,
}, async () => {
  const npm = spawn("node", ["-e", parent], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: npm.stdout });
  expect(await once(lines, "line")).toEqual(["started"]);
  npm.kill("SIGTERM");
  expect(await once(lines, "line")).toEqual(["stopped"]);
  // Nothing of it is left that holds the output open.
  await once(lines, "close");
});
