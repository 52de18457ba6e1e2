/**
 * `npm run licences`, after a build: which packages are in what goes live, with version and
 * licence, as a Markdown table. Exit code 1 where one has a licence that is not meant to go live.
 */
import { readFileSync } from "node:fs";

/** Licences that ask for no more than a notice. */
export const permissive: ReadonlySet<string> = new Set([
  "MIT",
  "ISC",
  "0BSD",
  "Unlicense",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
]);

/** Whether a licence, or an SPDX expression of licences, is among those allowed. */
export function isAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  const choices = expression.replaceAll(/[()]/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((name) => allowed.has(name)));
}

/** What esbuild tells of a bundle: its sources, with what is left of them. */
export interface Metafile {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
}

/** The folders of the packages that a bundle has code of, sorted. */
export function bundledFolders({ outputs }: Metafile): string[] {
  const used = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([source]) => /(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
  return [...new Set(used)].sort();
}

if (import.meta.main) {
  const server = new Set(bundledFolders(readJson("build/metafile.server.json")));
  const browser = new Set(bundledFolders(readJson("build/metafile.js.json")));
  const lines = [...new Set([...server, ...browser])].sort().map((folder) => {
    const { name, version, license } = readJson(`${folder}/package.json`);
    if (!isAllowed(license ?? "none", permissive)) process.exitCode = 1;
    const places = [server.has(folder) && "Worker", browser.has(folder) && "browser"];
    return `| ${name} | ${version} | ${license} | ${places.filter(Boolean).join(", ")} |`;
  });
  console.log(["| package | version | licence | in |", "|---|---|---|---|", ...lines].join("\n"));
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, "utf8"));
}
