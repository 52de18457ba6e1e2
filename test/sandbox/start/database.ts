/** The local database and bucket: migrated as `wrangler d1 migrations apply` does it, and seeded. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { readArguments } from "../../../.ops/command-line.ts";
import { shortPath } from "./screen.ts";
import { readWranglerConfig } from "./wrangler-config.ts";

/** The same table as wrangler's, so that its own command knows which migrations have been applied. */
const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/** Applies missing migrations. `sandboxOrigin` also seeds a database without users, once for each folder. */
export async function prepareDatabase(options: {
  stateDir: string;
  sandboxOrigin?: string;
}): Promise<void> {
  const { database, bucket } = readWranglerConfig();
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "",
      cf: false,
      // The place that wrangler dev uses with --persist-to.
      resourcePersistencePath: join(options.stateDir, "state/v3"),
      d1Databases: { DB: database.id },
      r2Buckets: { RECORDINGS: bucket },
    }),
  );
  try {
    const db = (await miniflare.getD1Database("DB")) as unknown as D1Database;
    await migrate(db, database.migrations);
    if (options.sandboxOrigin) {
      const files = (await miniflare.getR2Bucket("RECORDINGS")) as unknown as R2Bucket;
      await seed({ db, files }, options.stateDir, options.sandboxOrigin);
    }
  } finally {
    await miniflare.dispose();
  }
}

async function migrate(db: D1Database, folder: string): Promise<void> {
  await db.prepare(MIGRATIONS_TABLE).run();
  const { results } = await db.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const done = new Set(results.map(({ name }) => name));
  const names = readdirSync(folder).filter((name) => name.endsWith(".sql") && !done.has(name));
  for (const name of names.sort()) {
    const statements = readFileSync(join(folder, name), "utf8").split("--> statement-breakpoint");
    const applied = db.batch([
      ...statements.map((statement) => db.prepare(statement)),
      db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name),
    ]);
    await applied.catch((error) => {
      throw new Error(`The migration ${name} failed: ${error.message}`);
    });
  }
}

async function seed(
  { db, files }: { db: D1Database; files: R2Bucket },
  stateDir: string,
  sandboxOrigin: string,
): Promise<void> {
  const marker = join(stateDir, "seeded");
  if (existsSync(marker)) return;
  if (await db.prepare("SELECT id FROM users LIMIT 1").first()) {
    console.log(
      `The database had users already, so the demo content was left out.
To begin anew, delete ${shortPath(stateDir)}.`,
    );
    return;
  }
  const { seedSql } = await import("../seed.ts");
  const { ownRecordings } = await import("../own-recordings.ts");
  // Before the rows say that they are there: a start that ends in between begins anew.
  for (const { file } of ownRecordings) await files.put(file.key, file.bytes);
  const statements = seedSql(sandboxOrigin, Date.now()).split(/(?<=;)\n(?=INSERT |UPDATE )/);
  await db.batch(statements.map((statement) => db.prepare(statement)));
  writeFileSync(marker, new Date().toISOString());
}

if (import.meta.main) {
  const { words } = readArguments({
    usage: "node test/sandbox/start/database.ts [state folder] [address of the stand-ins]",
    words: { most: 2 },
  });
  const [stateDir = ".wrangler", sandboxOrigin] = words;
  await prepareDatabase({ stateDir, ...(sandboxOrigin ? { sandboxOrigin } : {}) });
}
