/**
 * `npm start`: the whole product on one machine. Migrates and, the first time, seeds the local
 * database; serves the stand-ins and the app; prints where to go; stops both together.
 * With real keys in .dev.vars the app talks to the real services instead.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { musicians } from "./catalogue.ts";
import { seedSql } from "./seed.ts";
import { startSandbox } from "./server.ts";
import { WEBHOOK_SECRET } from "./stripe/service.ts";

const port = portFrom("PORT", 8787);
const sandboxPort = portFrom("SANDBOX_PORT", 8788);
const stateDir = resolve(process.env.STATE_DIR ?? ".wrangler");
const appOrigin = `http://127.0.0.1:${port}`;
const sandboxOrigin = `http://127.0.0.1:${sandboxPort}`;
const persist = ["--persist-to", join(stateDir, "state")];
const environment = {
  ...process.env,
  FIVEFOLD_MIGRATED: "1",
  WRANGLER_SEND_METRICS: "false",
  CI: "1",
};

const ownKeys = keysIn(".dev.vars");
const realSpotify = ownKeys.has("SPOTIFY_CLIENT_ID");
const realStripe = ownKeys.has("STRIPE_SECRET_KEY");
const realResend = ownKeys.has("RESEND_API_KEY");

const webhook = { url: `${appOrigin}/webhooks/stripe`, secret: WEBHOOK_SECRET };
const sandbox = await startSandbox({ port: sandboxPort, stateDir, webhook }).catch(
  (error: Error) => {
    console.error(`The stand-ins cannot use port ${sandboxPort}: ${error.message}`);
    console.error("Set SANDBOX_PORT to a free one.");
    return process.exit(1);
  },
);

wrangler(["d1", "migrations", "apply", "DB", "--local", ...persist]);
seed();

const app = spawn(
  "wrangler",
  ["dev", "--ip", "127.0.0.1", "--port", String(port), ...persist, ...vars()],
  { stdio: ["ignore", "pipe", "pipe"], env: environment, detached: true },
);
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop(0));
app.on("exit", (code) => stop(stopping ? 0 : (code ?? 1)));
forward(app);
await untilHealthy();
announce();

function portFrom(name: string, otherwise: number): number {
  const value = Number(process.env[name] ?? otherwise);
  if (Number.isInteger(value) && value > 0 && value < 65_536) return value;
  console.error(`${name} is not a port: ${process.env[name]}`);
  return process.exit(1);
}

/** The names set in a dotenv file; none where there is no such file. */
function keysIn(file: string): Set<string> {
  if (!existsSync(file)) return new Set();
  const names = readFileSync(file, "utf8").matchAll(/^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=/gm);
  return new Set([...names].map((match) => match[1] ?? ""));
}

/** Addresses that depend on the ports, or the vendors' own where the keys are real. */
function vars(): string[] {
  const values: Record<string, string> = {
    APP_ORIGIN: appOrigin,
    ...(realSpotify
      ? {
          SPOTIFY_ACCOUNTS_URL: "https://accounts.spotify.com",
          SPOTIFY_API_URL: "https://api.spotify.com",
          SPOTIFY_SDK_URL: "https://sdk.scdn.co/spotify-player.js",
          SPOTIFY_IMAGE_ORIGINS: "https:",
          SPOTIFY_CLIENT_ID_2: "",
          SPOTIFY_CLIENT_SECRET_2: "",
        }
      : {
          SPOTIFY_ACCOUNTS_URL: `${sandboxOrigin}/spotify/accounts`,
          SPOTIFY_API_URL: `${sandboxOrigin}/spotify/api`,
          SPOTIFY_SDK_URL: `${sandboxOrigin}/spotify/sdk/spotify-player.js`,
          SPOTIFY_IMAGE_ORIGINS: sandboxOrigin,
        }),
    ...(realStripe
      ? {
          STRIPE_API_URL: "https://api.stripe.com",
          STRIPE_PAGE_ORIGINS: "https://checkout.stripe.com https://billing.stripe.com",
        }
      : { STRIPE_API_URL: sandboxOrigin, STRIPE_PAGE_ORIGINS: sandboxOrigin }),
    RESEND_API_URL: realResend ? "https://api.resend.com" : `${sandboxOrigin}/resend`,
  };
  return Object.entries(values)
    .filter(([name]) => !ownKeys.has(name))
    .flatMap(([name, value]) => ["--var", `${name}:${value}`]);
}

function wrangler(args: string[]): void {
  const run = spawnSync("wrangler", args, { encoding: "utf8", env: environment });
  if (run.status === 0) return;
  console.error(run.stdout, run.stderr);
  process.exit(1);
}

/** Fills the database the first time, with what the stand-ins know; real keys get an empty one. */
function seed(): void {
  const marker = join(stateDir, "seeded");
  if (realSpotify || existsSync(marker)) return;
  mkdirSync(stateDir, { recursive: true });
  const file = join(stateDir, "seed.sql");
  writeFileSync(file, seedSql(sandboxOrigin, Date.now()));
  wrangler(["d1", "execute", "DB", "--local", "--yes", "--file", file, ...persist]);
  writeFileSync(marker, new Date().toISOString());
}

function forward(child: ChildProcess): void {
  child.stdout?.pipe(process.stdout);
  child.stderr?.pipe(process.stderr);
}

async function untilHealthy(): Promise<void> {
  while (!stopping) {
    const answer = await fetch(`${appOrigin}/health`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((wait) => setTimeout(wait, 200));
  }
}

function announce(): void {
  const people = musicians.filter((musician) => musician.demo);
  const lines = [
    "",
    `Fivefold is at      ${appOrigin}`,
    `The stand-ins are at ${sandboxOrigin}`,
    ...(realResend ? [] : [`Mails arrive at      ${sandboxOrigin}/mail`]),
    "",
    ...(realSpotify
      ? ["Log in with your own Spotify account."]
      : [
          "Log in as one of these, or as any of the other musicians on the consent page:",
          ...people.map(({ displayName, demo }) => `  ${displayName.padEnd(18)} ${demo}`),
        ]),
    "",
    "Ctrl-C stops everything.",
  ];
  console.log(lines.join("\n"));
}

/** Ends the app with all that it started, then the stand-ins. */
async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  const ended = new Promise((resolveEnd) => app.once("exit", resolveEnd));
  if (app.exitCode === null && app.pid) {
    signalGroup(app.pid, "SIGTERM");
    const late = setTimeout(() => signalGroup(app.pid, "SIGKILL"), 5000);
    await ended;
    clearTimeout(late);
  }
  // workerd may outlive wrangler by a moment.
  signalGroup(app.pid, "SIGKILL");
  await sandbox.close();
  process.exit(code);
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid) process.kill(-pid, signal);
  } catch {
    // It is gone already.
  }
}
