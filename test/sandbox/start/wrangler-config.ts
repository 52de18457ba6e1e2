import { readFileSync } from "node:fs";
import { parse } from "smol-toml";

interface WranglerConfig {
  database: {
    /** Also determines the local files of the database. */
    id: string;
    migrations: string;
  };
  /** The name of the bucket, and of its local files. */
  bucket: string;
  crons: string[];
}

export function readWranglerConfig(file = "wrangler.toml"): WranglerConfig {
  const config = parse(readFileSync(file, "utf8")) as unknown as {
    d1_databases: [{ database_id: string; migrations_dir: string }];
    r2_buckets: [{ bucket_name: string }];
    triggers: { crons: string[] };
  };
  const [database] = config.d1_databases;
  return {
    database: { id: database.database_id, migrations: database.migrations_dir },
    bucket: config.r2_buckets[0].bucket_name,
    crons: config.triggers.crons,
  };
}
