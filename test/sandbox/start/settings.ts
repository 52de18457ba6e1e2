/** The settings of `npm start` from its environment and .dev.vars. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export interface Settings {
  port: number;
  sandboxPort: number;
  appOrigin: string;
  sandboxOrigin: string;
  /** Absolute path; contains the database, the state of the stand-ins, the build, and the log. */
  stateDir: string;
  buildDir: string;
  logFile: string;
  real: { spotify: boolean; resend: boolean };
  /** False where members come in by e-mail alone. */
  spotify: boolean;
  vars: Record<string, string>;
}

/**
 * `ownVars` are the variables in .dev.vars, which are never overridden. An empty SPOTIFY_CLIENT_ID in the
 * environment starts the product without Spotify, an empty STRIPE_SECRET_KEY without premium.
 */
export function readSettings(
  environment: Record<string, string | undefined>,
  ownVars: ReadonlySet<string>,
): Settings {
  const port = portFrom(environment, "PORT", 8787);
  const sandboxPort = portFrom(environment, "SANDBOX_PORT", 8788);
  const appOrigin = `http://127.0.0.1:${port}`;
  const sandboxOrigin = `http://127.0.0.1:${sandboxPort}`;
  const stateDir = resolve(environment.STATE_DIR ?? ".wrangler");
  const real = { spotify: ownVars.has("SPOTIFY_CLIENT_ID"), resend: ownVars.has("RESEND_API_KEY") };
  const spotify = real.spotify || environment.SPOTIFY_CLIENT_ID !== "";
  const vars = {
    APP_ORIGIN: appOrigin,
    ...(real.spotify ? realSpotify : sandboxSpotify(sandboxOrigin)),
    ...(spotify ? {} : noSpotify),
    ...(ownVars.has("STRIPE_SECRET_KEY") ? realStripe : sandboxStripe(sandboxOrigin)),
    ...(environment.STRIPE_SECRET_KEY === "" ? noStripe : {}),
    ...(environment.STRIPE_TAX ? { STRIPE_TAX: environment.STRIPE_TAX } : {}),
    ...(real.resend ? realResend : { RESEND_API_URL: `${sandboxOrigin}/resend` }),
  };
  return {
    port,
    sandboxPort,
    appOrigin,
    sandboxOrigin,
    stateDir,
    buildDir: join(stateDir, "app"),
    logFile: join(stateDir, "start.log"),
    real,
    spotify,
    vars: Object.fromEntries(Object.entries(vars).filter(([name]) => !ownVars.has(name))),
  };
}

export function namesIn(file: string): Set<string> {
  if (!existsSync(file)) return new Set();
  const names = readFileSync(file, "utf8").matchAll(/^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=/gm);
  return new Set([...names].map((match) => match[1] ?? ""));
}

const noSecondSpotify = { SPOTIFY_CLIENT_ID_2: "", SPOTIFY_CLIENT_SECRET_2: "" };
const noSpotify = { SPOTIFY_CLIENT_ID: "", SPOTIFY_CLIENT_SECRET: "", ...noSecondSpotify };

const noStripe = { STRIPE_SECRET_KEY: "", STRIPE_WEBHOOK_SECRET: "" };

const realSpotify = {
  SPOTIFY_ACCOUNTS_URL: "https://accounts.spotify.com",
  SPOTIFY_API_URL: "https://api.spotify.com",
  SPOTIFY_SDK_URL: "https://sdk.scdn.co/spotify-player.js",
  SPOTIFY_OPEN_URL: "https://open.spotify.com",
  SPOTIFY_SHARE_URLS: "https://spotify.link https://spotify.app.link",
  SPOTIFY_IMAGE_ORIGINS: "https:",
  ...noSecondSpotify,
};

const realStripe = {
  STRIPE_API_URL: "https://api.stripe.com",
  STRIPE_PAGE_ORIGINS: "https://checkout.stripe.com https://billing.stripe.com",
};

/** Without the stand-in's secret. */
const realResend = { RESEND_API_URL: "https://api.resend.com", RESEND_WEBHOOK_SECRET: "" };

function sandboxSpotify(origin: string) {
  return {
    SPOTIFY_ACCOUNTS_URL: `${origin}/spotify/accounts`,
    SPOTIFY_API_URL: `${origin}/spotify/api`,
    SPOTIFY_SDK_URL: `${origin}/spotify/sdk/spotify-player.js`,
    SPOTIFY_OPEN_URL: `${origin}/spotify/open`,
    SPOTIFY_SHARE_URLS: `${origin}/spotify/link ${origin}/spotify/app-link`,
    SPOTIFY_IMAGE_ORIGINS: origin,
  };
}

function sandboxStripe(origin: string) {
  return { STRIPE_API_URL: origin, STRIPE_PAGE_ORIGINS: origin };
}

function portFrom(
  environment: Record<string, string | undefined>,
  name: string,
  otherwise: number,
): number {
  const value = Number(environment[name] ?? otherwise);
  if (Number.isInteger(value) && value > 0 && value < 65_536) return value;
  throw new Error(`${name} is not a port: ${environment[name]}`);
}
