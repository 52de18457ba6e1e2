import { createHash } from "node:crypto";
import { readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AssetsManifest } from "@remix-run/dev";

const forBrowsers = /^window\.__remixManifest=(?=\{)/;
const forWorker = /(?<=^var assets_manifest_default = )\{.*\}(?=;$)/m;

/**
 * Writes other scripts into Remix's list of routes, as browsers and the Worker have it. Each page reads that of
 * browsers, so it gets no lines of routes without scripts.
 * @param filesOf the addresses of what a former script is now, and of what this imports; empty where it is no more.
 * @throws Error if Remix writes the list in another form.
 */
export async function rewriteRouteLists(
  folder: string,
  filesOf: (module: string) => string[],
): Promise<void> {
  const built = join(folder, "public/build");
  const worker = join(folder, "build/index.js");
  const program = readFileSync(worker, "utf8");
  const former = readdirSync(built).find((file) => file.startsWith("manifest-")) ?? "";
  const [start] = forBrowsers.exec(readFileSync(join(built, former), "utf8")) ?? [];
  const [text] = forWorker.exec(program) ?? [];
  if (!start || !text) throw new Error("Remix writes its list of routes in another form.");

  const source = `data:text/javascript,${encodeURIComponent(`export default ${text}`)}`;
  const list: AssetsManifest = (await import(source)).default;
  const entry = renamed(list.entry);
  const root = filesOf(list.routes.root?.module ?? "");
  const pages = Object.entries(list.routes).flatMap(([id, route]) => {
    if (filesOf(route.module).length === 0) return [];
    return [[id, renamed(route, [...entry.imports, ...(id === "root" ? [] : root)])]];
  });
  const routes: AssetsManifest["routes"] = Object.fromEntries(pages);
  const name = `manifest-${hashOf({ entry, routes })}.js`;
  const forAll = { ...list, entry, url: `/build/${name}` };
  const forRest = { ...forAll, routes: { ...list.routes, ...routes } };

  unlinkSync(join(built, former));
  writeFileSync(join(built, name), `${start}${JSON.stringify({ ...forAll, routes })};`);
  writeFileSync(
    worker,
    program.replace(text, () => JSON.stringify(forRest)),
  );

  /** @param brought what others have imported. */
  function renamed<Of extends { module: string }>(one: Of, brought: string[] = []) {
    const [module = "", ...files] = filesOf(one.module);
    return { ...one, module, imports: files.filter((file) => !brought.includes(file)) };
  }
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 8);
}
