/**
 * A deployment, step by step: each is told of in a line, and the first that fails ends it with what
 * to do. Whatever is outside comes in as an argument.
 */
import {
  configurationFaults,
  openings,
  type ProductionConfig,
  queueNames,
  secretFaults,
} from "./configuration.ts";

/** What a command came to. */
export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** What a deployment works with. */
export interface Outside {
  run(command: string, args: string[]): Promise<Outcome>;
  fetch(url: string): Promise<Response>;
  /** Waits so many milliseconds. */
  wait(milliseconds: number): Promise<void>;
  print(line: string): void;
}

/** What is deployed. */
export interface Release {
  config: ProductionConfig;
  /** As in package.json; the new Worker says it at /health. */
  version: string;
}

const production = ["--env", "production"];
const workerBack = "The Worker goes back with `npx wrangler rollback --env production`.";
const healthTries = 20;
const healthPause = 3000;

/** Ends a deployment; the message says what to do. */
class Failure extends Error {}

/**
 * Checks that a deployment could begin; changes nothing.
 * @returns whether it could.
 */
export function check(release: Release, outside: Outside): Promise<boolean> {
  return untilFailure(outside, () => checks(release, outside));
}

/**
 * Checks, then migrates the database, deploys the Worker, and waits until it is well.
 * @returns whether it is.
 */
export function deploy(release: Release, outside: Outside): Promise<boolean> {
  return untilFailure(outside, async () => {
    await checks(release, outside);
    await build(outside);
    const bookmark = await bookmarkOfNow(outside);
    const databaseBack = [
      "The database seldom has to go back: a Worker mostly runs on a newer schema. If it must,",
      `\`npx wrangler d1 time-travel restore DB --env production --bookmark=${bookmark}\``,
      'loses whatever was written since; what belongs to it is in .ops/README.md, "Restoring".',
    ].join("\n");
    await migrate(outside, databaseBack);
    const wayBack = `${workerBack}\n${databaseBack}`;
    await succeed(
      outside,
      ["deploy", ...production],
      `The deployment failed, perhaps when it was live already.\n${wayBack}`,
    );
    outside.print("deploy: done");
    await untilHealthy(release, outside, wayBack);
    await checkZone(release, outside);
  });
}

async function untilFailure(outside: Outside, steps: () => Promise<void>): Promise<boolean> {
  try {
    await steps();
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    outside.print(error.message);
    return false;
  }
}

async function checks(release: Release, outside: Outside): Promise<void> {
  refuse(configurationFaults(release.config));
  outside.print("configuration: complete");
  await checkTree(outside);
  await checkSecrets(release, outside);
  for (const queue of queueNames(release.config)) {
    await succeed(
      outside,
      ["queues", "info", queue, ...production],
      `The queue ${queue} must be there: \`npx wrangler queues create ${queue}\`.`,
    );
  }
  outside.print("queues: there");
  for (const { bucket_name: bucket } of release.config.r2_buckets ?? []) {
    await succeed(
      outside,
      ["r2", "bucket", "info", bucket, ...production],
      `The bucket ${bucket} must be there: \`npx wrangler r2 bucket create ${bucket}\`.`,
    );
  }
  outside.print("buckets: there");
}

/** Only what is committed goes live, so that one can tell later what did. */
async function checkTree(outside: Outside): Promise<void> {
  const status = await outside.run("git", ["status", "--porcelain"]);
  const commit = await outside.run("git", ["rev-parse", "--short", "HEAD"]);
  if (status.code !== 0 || commit.code !== 0) throw new Failure("This is no git checkout.");
  if (status.stdout.trim()) {
    throw new Failure(`Commit or put away first:\n${status.stdout.trimEnd()}`);
  }
  outside.print(`commit: ${commit.stdout.trim()}, nothing beside it`);
}

async function checkSecrets(release: Release, outside: Outside): Promise<void> {
  const list = await outside.run("wrangler", ["secret", "list", ...production]);
  if (list.code !== 0 && /Worker ".*not found/.test(list.stderr)) {
    throw new Failure(
      [
        "There is no Worker yet. The first secret makes an empty one:",
        "`npx wrangler secret put SESSION_SECRET --env production`, then the others (.ops/README.md).",
      ].join("\n"),
    );
  }
  if (list.code !== 0) throw new Failure(`The secrets could not be listed.\n${told(list)}`);
  refuse(secretFaults(release.config, list.stdout));
  outside.print("secrets: set");
  for (const line of openings(release.config, list.stdout)) outside.print(line);
}

/** Builds before anything is changed. */
async function build(outside: Outside): Promise<void> {
  await succeed(outside, ["deploy", "--dry-run", ...production], "The build failed.");
  const bundle = await outside.run("node", ["test/support/check-bundle.ts"]);
  if (bundle.code !== 0) throw new Failure(`The bundle is not fit to go live.\n${told(bundle)}`);
  outside.print("build: fit to go live");
}

async function bookmarkOfNow(outside: Outside): Promise<string> {
  const args = ["d1", "time-travel", "info", "DB", ...production, "--json"];
  const info = await succeed(outside, args, "The database could not be asked.");
  const bookmark = /"bookmark":\s*"([^"]+)"/.exec(info.stdout)?.[1];
  if (!bookmark) throw new Failure(`The database told no bookmark.\n${told(info)}`);
  outside.print(`database before: bookmark ${bookmark}`);
  return bookmark;
}

async function migrate(outside: Outside, databaseBack: string): Promise<void> {
  const where = ["DB", "--remote", ...production];
  const list = ["d1", "migrations", "list", ...where];
  const waiting = await succeed(outside, list, "The migrations could not be listed.");
  const names = waiting.stdout.match(/\d{4}_\w+\.sql/g) ?? [];
  outside.print(`migrations to apply: ${names.join(", ") || "none"}`);
  if (names.length === 0) return;
  await succeed(
    outside,
    ["d1", "migrations", "apply", ...where],
    `A migration failed. Those before it are applied; the Worker is as it was.\n${databaseBack}`,
  );
  outside.print("migrations: applied");
}

async function untilHealthy(
  { config, version }: Release,
  outside: Outside,
  wayBack: string,
): Promise<void> {
  const url = addressOf(config, "/health");
  let seen = "";
  for (let tries = 1; tries <= healthTries; tries += 1) {
    seen = await healthOf(url, outside);
    if (seen === `200 ok ${version}`) return outside.print(`health: ${seen} at ${url}`);
    if (tries < healthTries) await outside.wait(healthPause);
  }
  throw new Failure(`${url} answers ${seen}, not 200 ok ${version}.\n${wayBack}`);
}

/**
 * Checks that Cloudflare gives people the page that the Worker gave it. A zone's settings can add scripts to
 * it, which its policy blocks, or ask every program to be a person first.
 */
async function checkZone({ config }: Release, outside: Outside): Promise<void> {
  const url = addressOf(config, "/imprint");
  const page = await outside.fetch(url).catch((error: Error) => new Response(error.message));
  const added = /\/cdn-cgi\/[\w/.-]*/.exec(await page.text())?.[0];
  if (page.status !== 200) throw new Failure(`${url} answers ${page.status}. ${zoneAdvice}`);
  if (added) throw new Failure(`In ${url} there is ${added}, which Cloudflare adds. ${zoneAdvice}`);
  outside.print("zone: leaves pages as they are");
}

const zoneAdvice =
  'The new version is live and well; see the settings of the zone in .ops/README.md, "Going live".';

function addressOf({ vars }: ProductionConfig, path: string): string {
  return new URL(String(vars?.APP_ORIGIN)).origin + path;
}

/** What /health says, in a line. */
async function healthOf(url: string, outside: Outside): Promise<string> {
  try {
    const response = await outside.fetch(url);
    if (response.headers.has("cf-mitigated"))
      return "a challenge of Cloudflare's (Bot Fight Mode?)";
    const body = (await response.json()) as { ok?: unknown; version?: unknown } | null;
    return `${response.status} ${body?.ok === true ? "ok" : "not ok"} ${body?.version}`;
  } catch (error) {
    return `nothing of use (${(error as Error).message})`;
  }
}

/** Runs wrangler; a failure ends the deployment with this and with what wrangler said. */
async function succeed(outside: Outside, args: string[], otherwise: string): Promise<Outcome> {
  const outcome = await outside.run("wrangler", args);
  if (outcome.code !== 0) throw new Failure(`${told(outcome)}\n${otherwise}`);
  return outcome;
}

function refuse(faults: string[]): void {
  if (faults.length > 0) throw new Failure(faults.join("\n"));
}

/** What a command said; of wrangler's, what comes after its warnings. */
function told({ stdout, stderr }: Outcome): string {
  const error = stderr.slice(Math.max(0, stderr.indexOf("✘")));
  return `${stdout}\n${error}`.trim();
}
