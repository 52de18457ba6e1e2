import { readFileSync } from "node:fs";

/** Serves a script from the folder `browser`; pages of any origin may load it. */
export function browserScript(name: string): Response {
  const script = readFileSync(new URL(`./browser/${name}`, import.meta.url), "utf8");
  return new Response(script, {
    headers: {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "no-cache",
      "Cross-Origin-Resource-Policy": "cross-origin",
    },
  });
}
