/** What of the scripts that Remix builds is for the public. */
import { readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

interface Outputs {
  [file: string]: { entryPoint?: string; imports: { path: string }[] };
}

const assignment = "window.__remixManifest=";

/**
 * Takes away what is built for routes that answer forms, programs and files (`.ts`): no screen asks for their
 * scripts, which would bring the code that checks forms, nor for their lines in the list of routes that each page
 * reads.
 * @param folder where the build is.
 * @throws Error if Remix writes that list in another way.
 */
export function keepScriptsOfPages(folder: string): void {
  const metafile = readFileSync(join(folder, "build/metafile.js.json"), "utf8");
  const { outputs }: { outputs: Outputs } = JSON.parse(metafile);
  const scripts = Object.keys(outputs).filter((file) => file.endsWith(".js"));
  const needed = new Set(scripts.filter((file) => isPage(outputs[file]?.entryPoint)));
  for (const file of needed) {
    for (const { path } of outputs[file]?.imports ?? []) needed.add(path);
  }
  for (const file of scripts) if (!needed.has(file)) unlinkSync(file);

  const addresses = new Set([...needed].map((file) => resolve(file)));
  const built = join(folder, "public/build");
  const file = readdirSync(built).find((name) => name.startsWith("manifest-")) ?? "";
  const text = readFileSync(join(built, file), "utf8");
  if (!text.startsWith(assignment)) throw new Error(`${file} has another form`);
  const manifest = JSON.parse(text.slice(assignment.length).replace(/;\s*$/, ""));
  for (const [id, { module }] of Object.entries<{ module: string }>(manifest.routes)) {
    if (!addresses.has(resolve(folder, "public", `.${module}`))) delete manifest.routes[id];
  }
  if (!manifest.routes.root) throw new Error(`${file} would have no route`);
  writeFileSync(join(built, file), `${assignment}${JSON.stringify(manifest)};`);
}

function isPage(entryPoint = ""): boolean {
  return /(^app\/entry\.client\.tsx|\.tsx\?browser)$/.test(entryPoint);
}
