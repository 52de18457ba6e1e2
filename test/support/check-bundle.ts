/** Checks after `npm run build` that there are no stand-ins in it and that it stays within its budgets. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readArguments } from "../../.ops/command-line.ts";
import { budgets } from "./budgets.ts";

interface Metafile {
  outputs: Record<
    string,
    {
      entryPoint?: string;
      inputs: Record<string, { bytesInOutput: number }>;
      imports: { path: string; kind: string }[];
    }
  >;
}

readArguments({ usage: "npm run test:build" });
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

// Cloudflare redirects an address with "$" (remix.config.js).
for (const file of files("public/build").filter((name) => name.includes("$"))) {
  faults.push(`${file} cannot be loaded without a redirect`);
}

// Nobody else is to read what operators see and can do (app/THREATS.md).
for (const file of Object.values(client.outputs).flatMap(({ inputs }) => Object.keys(inputs))) {
  if (/^app\/routes\/operator\/(?!route\.tsx|.*\.css$)/.test(file)) {
    faults.push(`${file} is in a public script`);
  }
}

// Nor may a screen's scripts name what browsers have learned since 2021, but in asking whether it is there.
const newer =
  /(?<!typeof )\b(AbortSignal\.(any|timeout)|(structuredClone|requestIdleCallback)\(|Object\.(groupBy|hasOwn)|Map\.groupBy|Promise\.(try|withResolvers)|URL\.(canParse|parse)\(|randomUUID|Array\.fromAsync|new URLPattern|Intl\.(Segmenter|DurationFormat))|\.(at|findLast|findLastIndex|toSorted|toReversed|toSpliced|with|(hide|show|toggle)Popover|throwIfAborted|requestSubmit|showPicker|checkVisibility|(is|to)WellFormed)\(|\(\?<[=!]/g;
const screens = Object.keys(client.outputs).filter((file) =>
  /(entry\.client\.tsx|root\.tsx\?browser|\/route\.tsx\?browser|\/(player\.client|premium-offer)\.tsx)$/.test(
    client.outputs[file]?.entryPoint ?? "",
  ),
);
for (const file of withImports(screens)) {
  for (const [name] of readFileSync(file, "utf8").matchAll(newer)) {
    faults.push(`${file} uses ${name}, which older browsers lack`);
  }
}

/** What the carousel loads. The subscription dialog is loaded by those who open it. */
const island = [outputOf("app/player/player.client.tsx")];
const carousel = withImports([
  ...["app/entry.client.tsx", "root.tsx?browser", "routes/_index/route.tsx?browser"].map(outputOf),
  ...files("public/build").filter((file) => file.includes("/manifest-")),
  ...island,
]);
check("the carousel's scripts", size(carousel), budgets.scripts);
check("the player island", size(island), budgets.player);
// The HTML is checked where pages are rendered (test/worker/http/head-budget.test.ts).
const styles = files("public/build").filter((file) => /(app|player)-[^/\\]*\.css$/.test(file));
check("the styles", size(styles), budgets.styles);
check("the Worker", size(["build/index.js"]), budgets.worker);

if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}

function readMetafile(file: string): Metafile {
  return JSON.parse(readFileSync(file, "utf8"));
}

function outputOf(source: string): string {
  const made = Object.entries(client.outputs).find(([, { entryPoint }]) =>
    entryPoint?.endsWith(source),
  );
  if (!made) throw new Error(`nothing was built of ${source}`);
  return made[0];
}

function withImports(entries: string[]): string[] {
  const loaded = new Set(entries);
  for (const file of loaded) {
    for (const { path, kind } of client.outputs[file]?.imports ?? []) {
      if (kind === "import-statement") loaded.add(path);
    }
  }
  return [...loaded];
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
