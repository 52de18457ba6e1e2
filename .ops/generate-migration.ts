/**
 * `npm run db:generate`: writes what has changed in app/db/schema.ts and app/db/triggers.sql as a migration, with its
 * tables STRICT. `-- --custom` writes an empty one, to be filled by hand. `-- --anew` writes the first migration again,
 * which is right until the first deployment and never after it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { readArguments } from "./command-line.ts";

const folder = "migrations";
const breakpoint = "--> statement-breakpoint\n";
/** So small that their key is all they are. */
const withoutRowid = ["departures", "rating_marks"];

const { options } = readArguments({
  usage: "npm run db:generate -- [--anew | --name <name> [--custom]]",
  options: { anew: { type: "boolean" }, name: { type: "string" }, custom: { type: "boolean" } },
});
const wanted = options.anew ? "fivefold" : options.name;
const named = wanted ? ["--name", wanted] : [];
if (options.anew) rmSync(folder, { recursive: true, force: true });
const before = migrations();
const changes = triggerChanges();
drizzleKit(options.custom ? [...named, "--custom"] : named);
if (changes.length > 0 && added().length === 0) drizzleKit([...named, "--custom"]);
for (const name of added()) complete(`${folder}/${name}`);

function migrations(): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => name.endsWith(".sql"));
}

function added(): string[] {
  return migrations().filter((name) => !before.includes(name));
}

function drizzleKit(options: string[]): void {
  const command = ["generate", "--config", ".drizzle.config.ts", ...options];
  const shell = process.platform === "win32";
  const { status } = spawnSync("drizzle-kit", command, { stdio: "inherit", shell });
  if (status !== 0) process.exit(status ?? 1);
}

/** What the migrations so far lack of app/db/triggers.sql, or have otherwise. */
function triggerChanges(): string[] {
  const db = new DatabaseSync(":memory:");
  for (const name of before.sort()) db.exec(readFileSync(`${folder}/${name}`, "utf8"));
  const held = new Map(
    db
      .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
      .all()
      .map(({ name, sql }) => [String(name), `${sql};`]),
  );
  const text = readFileSync("app/db/triggers.sql", "utf8");
  const wanted = new Map(
    text
      .split(/(?<=^END;)\n+/m)
      .map((trigger) => [/CREATE TRIGGER `(\w+)`/.exec(trigger)?.[1] ?? "", trigger.trimEnd()]),
  );
  wanted.delete("");
  const isHeld = (name: string) => wanted.get(name)?.endsWith(held.get(name) ?? "\0");
  return [
    ...[...held.keys()].filter((name) => !isHeld(name)).map((name) => `DROP TRIGGER \`${name}\`;`),
    ...[...wanted].filter(([name]) => !isHeld(name)).map(([, trigger]) => trigger),
  ];
}

function complete(file: string): void {
  const sql = readFileSync(file, "utf8");
  if (sql.includes("`__new_")) {
    rmSync(file);
    console.error(
      "This change rebuilds a table. D1 would delete the rows that refer to it. Add columns instead.",
    );
    process.exit(1);
  }
  const strict = sql.replace(
    /(CREATE TABLE `(\w+)`[^;]*?\n\));/g,
    (_, table: string, name: string) =>
      `${table} STRICT${withoutRowid.includes(name) ? ", WITHOUT ROWID" : ""};`,
  );
  // A file for triggers alone begins with a line of drizzle-kit's for whoever writes it by hand.
  const parts = [strict.replace(/^-- Custom.*/, "").trim(), ...changes];
  writeFileSync(file, `${parts.filter((part) => part !== "").join(breakpoint)}\n`);
}
