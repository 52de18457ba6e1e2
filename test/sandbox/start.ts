/**
 * `npm start`: the whole product on one machine. Builds while wrangler starts, serves the stand-ins, runs the
 * jobs, and stops everything together. With keys in .dev.vars the app talks to the real services.
 */
import { mkdirSync, openSync, readdirSync, rmSync, symlinkSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { readArguments } from "../../.ops/command-line.ts";
import { readNote, remainsOf, removeNote, writeNote } from "./start/earlier-start.ts";
import { announceFirstBuild } from "./start/first-build.ts";
import { isFree, portTaken } from "./start/ports.ts";
import { onParentGone, type Program, runNode, signalGroup } from "./start/program.ts";
import { createScreenFilter, shortPath, welcome } from "./start/screen.ts";
import { namesIn, readSettings, type Settings } from "./start/settings.ts";
import { readWranglerConfig } from "./start/wrangler-config.ts";

const TAIL_LINES = 20;
const MAX_BAD_ANSWERS = 3;
/** How long the ports of a killed start may take to become free. */
const RELEASE_LIMIT_MS = 2_000;

readArguments({ usage: "npm start" });
const root = resolve(import.meta.dirname, "../..");
const settings = settingsOrExit();
const { stateDir, buildDir, appOrigin, sandboxOrigin } = settings;
mkdirSync(stateDir, { recursive: true });
await makeRoom();

console.log("Starting Fivefold …");
const log = openSync(settings.logFile, "w");
const tail: string[] = [];
const firstBuild = join(stateDir, "first-build");
announceFirstBuild(firstBuild, "running");
linkStaticFiles(join(buildDir, "public"));
const build = run([join(root, ".ops/build.ts")]);
const databaseArgs = [stateDir, ...(settings.real.spotify ? [] : [sandboxOrigin])];
const databaseLines: string[] = [];
const database = run([join(root, "test/sandbox/start/database.ts"), ...databaseArgs], (line) =>
  databaseLines.push(line),
);
const forScreen = createScreenFilter();
const wrangler = run(wranglerDev(), (line) => {
  const shown = forScreen(line);
  if (shown !== null && !stopped) console.log(shown);
});
writeNote(stateDir, { pid: process.pid, group: wrangler.pid, appOrigin });

let stopped: Promise<never> | null = null;
const closing: (() => unknown)[] = [];
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop(0));
// Ctrl-C reaches npm and this process; a signal sent to npm ends npm alone.
if (process.env.npm_lifecycle_event) onParentGone(() => stop(0));
wrangler.ended.then((code) =>
  fail(`wrangler has ended (${code === null ? "killed" : `exit code ${code}`}).`),
);

await serveSandbox().catch((error) =>
  fail(`The stand-ins could not be started: ${error.message}.`),
);
if ((await build.ended) !== 0) await fail("The app could not be built.");
if ((await database.ended) !== 0) await fail("The database could not be prepared.");
for (const line of databaseLines) console.log(line);
announceFirstBuild(firstBuild, "done");
await untilHealthy();
await runScheduledJobs();
const { musicians } = await import("./catalogue.ts");
console.log(welcome(settings, musicians));

function settingsOrExit(): Settings {
  try {
    return readSettings(process.env, namesIn(".dev.vars"));
  } catch (error) {
    return exit((error as Error).message);
  }
}

/** Ends what a killed start has left. Exits if another start is running or a port is taken. */
async function makeRoom(): Promise<void> {
  const note = readNote(stateDir);
  const remains = note ? remainsOf(note, root) : "nothing";
  if (note && remains === "running") {
    exit(
      `Fivefold is already running at ${note.appOrigin}, as process ${note.pid}.
To stop it, press Ctrl-C where it was started, or run: kill ${note.pid}`,
    );
  }
  if (note && remains === "leftovers") {
    signalGroup(note.group, "SIGKILL");
    console.log("Ended what an earlier start had left running.");
  }
  // At once, so that a second start a moment later finds it. The group follows.
  writeNote(stateDir, { pid: process.pid, group: 0, appOrigin });
  process.once("exit", () => removeNote(stateDir));
  const until = Date.now() + (remains === "leftovers" ? RELEASE_LIMIT_MS : 0);
  await needPort("PORT", settings.port, until);
  await needPort("SANDBOX_PORT", settings.sandboxPort, until);
}

async function needPort(variable: string, port: number, until: number): Promise<void> {
  while (!(await isFree(port))) {
    if (Date.now() >= until) exit(portTaken(port, variable));
    await wait(50);
  }
}

function exit(why: string): never {
  console.error(why);
  process.exit(1);
}

/** Makes a folder with links to the static files, so that a change of one shows at once. */
function linkStaticFiles(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const entries = readdirSync(join(root, "public"), { withFileTypes: true });
  for (const { name } of entries.filter((entry) => entry.isFile())) {
    symlinkSync(join(root, "public", name), join(folder, name));
  }
}

function run(args: string[], onLine?: (line: string) => unknown): Program {
  const environment = {
    ...process.env,
    CI: "1",
    NO_COLOR: "1",
    FIVEFOLD_FIRST_BUILD: firstBuild,
    FIVEFOLD_BUILD_DIR: buildDir,
    // Needs no network, and shares nothing with other projects' workers.
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_REGISTRY_PATH: join(stateDir, "registry"),
    WRANGLER_SEND_METRICS: "false",
  };
  return runNode(args, environment, (coloured) => {
    const line = stripVTControlCharacters(coloured);
    writeSync(log, `${line}\n`);
    tail.push(line);
    if (tail.length > TAIL_LINES) tail.shift();
    onLine?.(line);
  });
}

/** The arguments for Node that run `wrangler dev`. Its bin only starts another Node with this file. */
function wranglerDev(): string[] {
  return [
    "--no-warnings",
    "--require",
    join(root, "test/sandbox/start/end-with-parent.ts"),
    fileURLToPath(import.meta.resolve("wrangler")),
    ...["dev", join(buildDir, "build/index.js"), "--assets", join(buildDir, "public")],
    ...["--config", join(root, "wrangler.toml")],
    ...["--ip", "127.0.0.1", "--port", String(settings.port)],
    ...["--persist-to", join(stateDir, "state")],
    ...Object.entries(settings.vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
  ];
}

/** Imported late, so that it does not delay the programs that take longer to start. */
async function serveSandbox(): Promise<void> {
  const { startSandbox } = await import("./server.ts");
  const sandbox = await startSandbox({ port: settings.sandboxPort, stateDir, appOrigin });
  closing.push(sandbox.close);
}

async function untilHealthy(): Promise<void> {
  for (let badAnswers = 0; badAnswers < MAX_BAD_ANSWERS; ) {
    const answer = await fetch(`${appOrigin}/health`).catch(() => null);
    if (stopped) await stopped;
    if (answer?.ok) return;
    if (answer) badAnswers += 1;
    await wait(answer ? 500 : 50);
  }
  await fail("The app is not healthy: /health answers with an error.");
}

async function runScheduledJobs(): Promise<void> {
  const { runCron, runCrons } = await import("./start/crons.ts");
  const { crons } = readWranglerConfig();
  const failed = (cron: string, why: string) =>
    console.error(`The scheduled job "${cron}" failed: ${why}.`);
  closing.push(runCrons(crons, appOrigin, failed));
  // What has become due while the app did not run.
  for (const cron of crons) {
    const why = await runCron(cron, appOrigin);
    if (why) failed(cron, why);
  }
}

function fail(why: string): Promise<never> {
  if (!stopped) {
    const file = shortPath(settings.logFile);
    console.error([...tail, "", `${why} The lines above are the end of ${file}.`].join("\n"));
  }
  return stop(1);
}

function stop(code: number): Promise<never> {
  stopped ??= endEverything(code);
  return stopped;
}

async function endEverything(code: number): Promise<never> {
  await Promise.all([wrangler, build, database].map((program) => program.end()));
  for (const close of closing) await close();
  process.exit(code);
}
