/** What of the scripts that Remix builds is for the public, and in which files. */
import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { type OutputChunk, rollup } from "rollup";
import { minify } from "terser";
// @ts-expect-error: Remix's configuration is no TypeScript.
import config from "../remix.config.js";
import { rewriteRouteLists } from "./route-lists.ts";

interface Output {
  bytes: number;
  entryPoint?: string;
  inputs: Record<string, { bytesInOutput: number }>;
  imports: { path: string; kind: string }[];
}

/** What is shorter than this comes with what all screens load, and not in a file of its own. */
const fewBytes = 250;

/**
 * Packs the scripts of pages anew, because Remix makes a file for each set of routes that share something. Among these
 * are routes that answer forms, programs and files (`.ts`): no screen asks for their scripts, so these go away. What
 * stays is a file for each page and for each part that comes late, one for what the carousel shares with others, which
 * all load, and one for the libraries.
 * @param folder where the build is.
 * @param shortens takes some seconds, for five percent less.
 */
export async function packScripts(
  folder: string,
  { shortens }: { shortens: boolean },
): Promise<void> {
  const built = resolve(folder, "public/build");
  const description = join(folder, "build/metafile.js.json");
  const { outputs, ...metafile } = JSON.parse(readFileSync(description, "utf8"));
  const old = new Map(
    Object.entries<Output>(outputs).map(([file, output]) => [resolve(file), output]),
  );
  const scripts = [...old.keys()].filter((file) => file.endsWith(".js"));
  const entries = scripts.filter((file) => isPage(old.get(file)?.entryPoint));
  const libraries = withImports(scripts.filter((file) => hasReact(old.get(file))));
  const carousel = withImports(
    entries.filter((file) => /^(entry\.client|root|_index)-/.test(basename(file))),
  );
  function packOf(file: string): string | null {
    const { entryPoint, bytes = 0 } = old.get(file) ?? {};
    if (entryPoint) return null;
    if (libraries.has(file)) return "libraries";
    return carousel.has(file) || bytes < fewBytes ? "common" : null;
  }

  const notices = new Set<string>();
  const bundle = await rollup({
    input: Object.fromEntries(entries.map((file) => [nameOf(relative(built, file)), file])),
    plugins: [
      { name: "addresses", resolveId: (address) => fileAt(folder, address) },
      shortens && { name: "shortest", renderChunk: (code) => shortest(code, notices) },
    ],
  });
  const { output } = await bundle.generate({
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: ({ name }) => `_shared/${nameOf(name)}-[hash].js`,
    hashCharacters: "base36",
    hoistTransitiveImports: false,
    manualChunks: packOf,
  });
  const chunks = output.filter((one) => one.type === "chunk");

  for (const file of scripts) {
    unlinkSync(file);
    delete outputs[relative("", file)];
  }
  for (const chunk of chunks) {
    const file = join(built, chunk.fileName);
    writeFileSync(file, chunk.code);
    outputs[relative("", file)] = described(chunk);
  }
  writeFileSync(description, JSON.stringify({ ...metafile, outputs }));
  writeFileSync(join(built, "licences.txt"), [...notices].join("\n"));
  await rewriteRouteLists(folder, (address) => {
    const file = fileAt(folder, address);
    const entry = chunks.find(({ facadeModuleId }) => facadeModuleId === file);
    return entry ? filesOf(entry) : [];
  });

  /** These files and what they import, and so on. */
  function withImports(files: string[]): Set<string> {
    const all = new Set(files);
    for (const file of all) {
      for (const { path, kind } of old.get(file)?.imports ?? []) {
        if (kind === "import-statement") all.add(resolve(path));
      }
    }
    return all;
  }

  function described({ code, moduleIds, ...chunk }: OutputChunk): Output {
    const sources = moduleIds.flatMap((file) => old.get(file) ?? []);
    const entryPoint = sources.find((source) => source.entryPoint)?.entryPoint;
    const linked = (kind: string) => (file: string) => ({
      path: relative("", join(built, file)),
      kind,
    });
    return {
      bytes: code.length,
      ...(entryPoint ? { entryPoint } : {}),
      inputs: Object.assign({}, ...sources.map(({ inputs }) => inputs)),
      imports: [
        ...chunk.imports.map(linked("import-statement")),
        ...chunk.dynamicImports.map(linked("dynamic-import")),
      ],
    };
  }

  function filesOf(entry: OutputChunk): string[] {
    const all = new Set([entry.fileName]);
    for (const name of all) {
      for (const file of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) {
        all.add(file);
      }
    }
    return [...all].map((file) => `/build/${file}`);
  }
}

function isPage(entryPoint = ""): boolean {
  return /(^app\/entry\.client\.tsx|\.tsx\?browser)$/.test(entryPoint);
}

function hasReact(output: Output | undefined): boolean {
  return Object.keys(output?.inputs ?? {}).some((input) => input.includes("/react-dom/"));
}

/** The name that Remix made a file's of. */
function nameOf(file: string): string {
  return file.replace(/-[A-Z0-9]{8}(\.js)?$/, "");
}

function fileAt(folder: string, address: string): string | null {
  return address.startsWith("/build/") ? resolve(folder, `public${address}`) : null;
}

/** Makes a script as short as it can be without its features that are off. Collects the notices of licences. */
async function shortest(script: string, notices: Set<string>): Promise<string> {
  const { code = "" } = await minify(script, {
    module: true,
    ecma: 2020,
    compress: {
      passes: 3,
      global_defs: {
        "window.__remixContext.future": config.future,
        "window.__remixContext.isSpaMode": false,
      },
    },
    format: {
      comments(_, { value }) {
        if (value.includes("@license")) notices.add(value);
        return false;
      },
    },
  });
  return code;
}
