import { readFileSync } from "node:fs";
import { parse } from "smol-toml";

interface WranglerConfig {
  database: {
    /** Also determines the local files of the database. */
    id: string;
    /** The folder of its migrations. */
    migrations: string;
  };
  /** The times of the scheduled handler, in Cloudflare's cron syntax and UTC. */
  crons: string[];
}

/** The part of wrangler.toml's top level, the development configuration, that a local start needs. */
export function readWranglerConfig(file = "wrangler.toml"): WranglerConfig {
  const config = parse(readFileSync(file, "utf8")) as unknown as {
    d1_databases: [{ database_id: string; migrations_dir: string }];
    triggers: { crons: string[] };
  };
  const [database] = config.d1_databases;
  return {
    database: { id: database.database_id, migrations: database.migrations_dir },
    crons: config.triggers.crons,
  };
}
