/**
 * `npm run licences`, after a build: the packages that go live, with version and licence, as a
 * Markdown table. Exits with 1 if a licence asks for more than a notice.
 */
import { readFileSync } from "node:fs";
import { readArguments } from "./command-line.ts";

readArguments({ usage: "npm run licences" });

/** Licences that ask for no more than a notice. */
const permissive: ReadonlySet<string> = new Set([
  "MIT",
  "ISC",
  "0BSD",
  "Unlicense",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
]);

/** Whether a licence, or an SPDX expression of licences, asks for no more than a notice. */
function isAllowed(expression: string): boolean {
  const choices = expression.replaceAll(/[()]/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((name) => permissive.has(name)));
}

/** esbuild's description of a bundle: its sources, and how much of each is in it. */
interface Metafile {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
}

/** The folders of the packages whose code is in a bundle, sorted. */
function bundledFolders({ outputs }: Metafile): string[] {
  const used = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([source]) => /(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
  return [...new Set(used)].sort();
}

const server = new Set(bundledFolders(readJson("build/metafile.server.json")));
const browser = new Set(bundledFolders(readJson("build/metafile.js.json")));
const lines = [...new Set([...server, ...browser])].sort().map((folder) => {
  const { name, version, license } = readJson(`${folder}/package.json`);
  if (!isAllowed(license ?? "none")) process.exitCode = 1;
  const places = [server.has(folder) && "Worker", browser.has(folder) && "browser"];
  return `| ${name} | ${version} | ${license} | ${places.filter(Boolean).join(", ")} |`;
});
console.log(["| package | version | licence | in |", "|---|---|---|---|", ...lines].join("\n"));

function readJson(file: string) {
  return JSON.parse(readFileSync(file, "utf8"));
}
