import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { runNode } from "../../../sandbox/start/program";

const folder = join(process.cwd(), "test/sandbox/start");
/** Long enough for a busy machine. */
const timeout = 20_000;
/** Starts a process of its own and prints both ids; exits with 3 on SIGTERM. */
const stubborn = `
const { spawn } = require("node:child_process");
const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
process.on("SIGTERM", () => process.exit(3));
console.log(process.pid + " " + child.pid);
setInterval(() => {}, 1000);
`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function untilGone(pids: number[]): Promise<void> {
  while (pids.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, 10));
}

test("ending a program also ends all programs that it has started", { timeout }, async () => {
  const line = Promise.withResolvers<string>();
  const program = runNode(["-e", stubborn], process.env, line.resolve);
  const pids = (await line.promise).split(" ").map(Number);
  expect(pids[0]).toBe(program.pid);
  expect(pids.map(isAlive)).toEqual([true, true]);
  await program.end();
  expect(await program.ended).toBe(3);
  await untilGone(pids);
});

test("if npm start is killed, a program and all that it has started end too", {
  timeout,
}, async () => {
  const start = `
import { runNode } from ${JSON.stringify(join(folder, "program.ts"))};
const args = ["--require", ${JSON.stringify(join(folder, "end-with-parent.ts"))}];
runNode([...args, "-e", ${JSON.stringify(stubborn)}], process.env, console.log);
`;
  const parent = spawn("node", ["--input-type=module", "-e", start], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface({ input: parent.stdout }), "line");
  const pids = String(line).split(" ").map(Number);
  expect(pids.map(isAlive)).toEqual([true, true]);
  parent.kill("SIGKILL");
  await untilGone(pids);
});
