/**
 * What a build must not do: carry stand-ins into production, or grow past its budget (design
 * section 7). Run after `npm run build`; prints the figures it checked.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

interface Metafile {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
}

const faults: string[] = [];
const client = readMetafile("build/metafile.js.json");
const server = readMetafile("build/metafile.server.json");

for (const { outputs } of [client, server]) {
  for (const { inputs } of Object.values(outputs)) {
    for (const input of Object.keys(inputs)) {
      if (input.startsWith("test/")) faults.push(`${input} is in the production bundle`);
    }
  }
}

/** Design section 7: the carousel's scripts in all, and the player island's own part. */
const scripts = files("public/build").filter((file) => file.endsWith(".js"));
const island = scripts.filter((file) => file.includes("player.client"));
check("all scripts", size(scripts), 110 * 1024);
check("the player island", size(island), 20 * 1024);
// Informational pages: their HTML comes on top and is checked where pages are rendered.
check("the styles", size(files("public/build").filter((file) => /app-.*\.css$/.test(file))), 8192);

if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}

function readMetafile(file: string): Metafile {
  return JSON.parse(readFileSync(file, "utf8"));
}

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function size(paths: string[]): number {
  return paths.reduce((sum, path) => sum + gzipSync(readFileSync(path)).byteLength, 0);
}

function check(what: string, bytes: number, budget: number): void {
  console.log(`${what}: ${bytes} of ${budget} bytes compressed`);
  if (bytes === 0 || bytes > budget) faults.push(`${what}: ${bytes} bytes, budget ${budget}`);
}
