/** The frame and the styles of the sandbox's own pages, which are plain server-rendered HTML. */
import { html, raw } from "hono/html";

export { html };

export type Markup = ReturnType<typeof html>;

const STYLE = `
:root { color-scheme: dark; --ground: #121212; --raised: #1d1f1e; --line: #343836; --text: #f4f6f5;
  --quiet: #aab3ae; --accent: #3ddc84; --on-accent: #06210f; --bad: #ff8a80; }
* { box-sizing: border-box; } [hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, "Segoe UI", Roboto, sans-serif; }
main { max-width: 40rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; text-wrap: balance; }
h2 { font-size: 1rem; margin: 1.75rem 0 .5rem; color: var(--quiet); font-weight: 600; }
p { margin: .5rem 0; } a { color: var(--accent); } small, .quiet { color: var(--quiet); }
.banner { background: #2b2410; color: #ffd98a; padding: .5rem 1rem; text-align: center; font-size: .875rem; }
.list { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
.list > li { border-bottom: 1px solid var(--line); }
.row { display: flex; gap: .75rem; align-items: center; padding: .6rem .25rem; cursor: pointer; }
.row img { width: 2.5rem; height: 2.5rem; border-radius: 4px; flex: none; background: var(--raised); }
.row span { display: block; min-width: 0; overflow-wrap: anywhere; }
.row small { display: block; line-height: 1.35; }
.row input { width: 1.25rem; height: 1.25rem; flex: none; accent-color: var(--accent); }
.row:hover, .row:has(:checked) { background: var(--raised); }
button, .button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1.5rem; border: 0;
  border-radius: 999px; background: var(--accent); color: var(--on-accent); cursor: pointer;
  text-decoration: none; display: inline-flex; align-items: center; justify-content: center; }
button.plain { background: transparent; color: var(--text); box-shadow: inset 0 0 0 1px var(--quiet); }
button:disabled { opacity: .45; cursor: default; }
:focus-visible { outline: 3px solid #fff; outline-offset: 2px; }
.bar { position: sticky; bottom: 0; display: flex; gap: .75rem; padding: 1rem 0;
  background: linear-gradient(transparent, var(--ground) 35%); }
.bar button { flex: 1; } .bad { color: var(--bad); }
.cover { width: 100%; height: auto; max-width: 20rem; border-radius: 8px; display: block; margin: 0 auto 1rem; }
`;

/** A complete page with the banner. */
export function page(title: string, body: Markup): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
</head>
<body>
<header class="banner">Sandbox: a stand-in, not the real service</header>
<main>${body}</main>
</body>
</html>`;
}
