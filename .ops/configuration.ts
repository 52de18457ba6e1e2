/**
 * What a deployment must find in wrangler.toml and among the secrets before anything is changed.
 * Pure: each check answers its faults as sentences that say what to do, none where all is well.
 */
import { parse } from "smol-toml";
import { readConfig } from "../app/platform/env.ts";

/** The part of `[env.production]` that is looked at. */
export interface ProductionConfig {
  vars?: Record<string, unknown>;
  routes?: (string | { pattern: string })[];
  d1_databases?: { binding: string; database_id?: string }[];
  r2_buckets?: { bucket_name: string }[];
  queues?: {
    producers?: { queue: string }[];
    consumers?: { queue: string; dead_letter_queue?: string }[];
  };
  secrets?: { required?: string[] };
}

/**
 * `[env.production]` of a wrangler.toml, empty if there is none. Wrangler's own reader would refuse a
 * file that the checks below can say more about.
 * @throws Error if the text is no TOML.
 */
export function readProduction(toml: string): ProductionConfig {
  const { env } = parse(toml) as { env?: { production?: ProductionConfig } };
  return env?.production ?? {};
}

/** Values of the right shape for secrets, which nobody can read back. They open nothing. */
const standIns: Record<string, string> = {
  SESSION_SECRET: "stand-in".repeat(4),
  TOKEN_ENCRYPTION_KEY: btoa("stand-in".repeat(4)),
  STRIPE_SECRET_KEY: "sk_live_standIn",
  STRIPE_WEBHOOK_SECRET: "whsec_standIn",
  RESEND_API_KEY: "re_standIn",
  RESEND_WEBHOOK_SECRET: `whsec_${btoa("stand-in".repeat(4))}`,
};

interface OptionalKeys {
  /** What is open with them; null if nothing more. */
  opens: string | null;
  /** All or none are set. */
  names: string[];
}

const optionalKeys: OptionalKeys[] = [
  { opens: "Spotify", names: ["SPOTIFY_CLIENT_ID", "SPOTIFY_CLIENT_SECRET"] },
  { opens: null, names: ["SPOTIFY_CLIENT_ID_2", "SPOTIFY_CLIENT_SECRET_2"] },
  { opens: "news of mails that come back", names: ["RESEND_WEBHOOK_SECRET"] },
];
/** The ids are no secrets. */
const optionalSecrets = optionalKeys
  .flatMap(({ names }) => names)
  .filter((name) => !name.includes("CLIENT_ID"));

/** What is wrong in wrangler.toml: placeholders, secrets in the open, what the app itself refuses. */
export function configurationFaults(config: ProductionConfig): string[] {
  const required = config.secrets?.required ?? [];
  const vars = config.vars ?? {};
  if (vars.ENVIRONMENT !== "production") {
    return ['[env.production] must be there, with ENVIRONMENT = "production".'];
  }
  const faults: string[] = [];
  const database = config.d1_databases?.find(({ binding }) => binding === "DB");
  if (!database?.database_id || /^[0-]*$/.test(database.database_id)) {
    faults.push("database_id of DB is not set: `npx wrangler d1 create fivefold` prints it.");
  }
  const host = hostOf(vars.APP_ORIGIN);
  const patterns = (config.routes ?? []).map((route) =>
    typeof route === "string" ? route : route.pattern,
  );
  if (!patterns.some((pattern) => pattern.split("/")[0] === host)) {
    faults.push(`routes must name the host of APP_ORIGIN, ${host}.`);
  }
  const names = Object.keys(vars);
  const exposed = names.filter((name) => [...required, ...optionalSecrets].includes(name));
  for (const name of exposed) {
    faults.push(`${name} is a secret and stands in wrangler.toml: take it out, and change it.`);
  }
  const placeholders = names.filter((name) => isPlaceholder(vars[name]));
  for (const name of placeholders) faults.push(`${name} is still the placeholder.`);
  if (placeholders.length > 0) return faults;

  const secrets = [...required, ...begun(new Set(names))].map((name) => {
    return [name, standIns[name] ?? "stand-in"];
  });
  try {
    readConfig({ ...Object.fromEntries(secrets), ...vars });
  } catch (error) {
    faults.push((error as Error).message);
  }
  return faults;
}

/**
 * What is wrong with the secrets of the Worker.
 * @param list the names that are set, as `wrangler secret list` prints them: JSON.
 */
export function secretFaults(config: ProductionConfig, list: string): string[] {
  const known = knownNames(config, list);
  if (!known) return ["`wrangler secret list` answered what is no list of secrets."];
  return [...(config.secrets?.required ?? []), ...begun(known)]
    .filter((name) => !known.has(name))
    .map((name) => `${name} is not set: \`npx wrangler secret put ${name} --env production\`.`);
}

/** What each of the optional keys opens, in a line, and which are missing for it. */
export function openings(config: ProductionConfig, list: string): string[] {
  const known = knownNames(config, list) ?? new Set();
  return optionalKeys.flatMap(({ opens, names }) => {
    if (opens === null) return [];
    const missing = names.filter((name) => !known.has(name));
    return `${opens}: ${missing.length > 0 ? `off, without ${missing.join(" and ")}` : "on"}`;
  });
}

/** The optional keys that belong to one that is set. A second app takes the first. */
function begun(known: ReadonlySet<string>): string[] {
  const isBegun = (name: string) => known.has(name) || known.has(`${name}_2`);
  return optionalKeys.flatMap(({ names }) => (names.some(isBegun) ? names : []));
}

/** The queues that must exist before the Worker, each once. */
export function queueNames({ queues = {} }: ProductionConfig): string[] {
  const { producers = [], consumers = [] } = queues;
  const names = [...producers, ...consumers].map(({ queue }) => queue);
  const dead = consumers.flatMap(({ dead_letter_queue }) => dead_letter_queue ?? []);
  return [...new Set([...names, ...dead])];
}

function hostOf(origin: unknown): string {
  return URL.canParse(String(origin)) ? new URL(String(origin)).host : "which is no address";
}

function isPlaceholder(value: unknown): boolean {
  return typeof value === "string" && /^set me$|\.example\b/.test(value);
}

/** The variables and the secrets that are set, or null where the list is none. */
function knownNames(config: ProductionConfig, list: string): ReadonlySet<string> | null {
  const set = secretNames(list);
  return set && new Set([...set, ...Object.keys(config.vars ?? {})]);
}

/** The names in a JSON list of secrets, or null where it is none. */
function secretNames(list: string): string[] | null {
  try {
    const secrets: unknown = JSON.parse(list);
    if (!Array.isArray(secrets)) return null;
    return secrets.map((secret: { name?: unknown }) => String(secret.name));
  } catch {
    return null;
  }
}
