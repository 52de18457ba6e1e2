import { readFileSync } from "node:fs";
import { parse } from "smol-toml";

interface WranglerConfig {
  database: {
    /** Also determines the local files of the database. */
    id: string;
    migrations: string;
  };
  crons: string[];
}

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
