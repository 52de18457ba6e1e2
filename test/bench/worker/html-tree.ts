/** An element as JSON: its tag, its attributes, and what is in it. */
export type Tree = [
  tag: string,
  attributes: Record<string, string>,
  ...children: (Tree | string)[],
];

const voids = new Set(["area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"]);
const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
const token =
  /<!--.*?-->|<!doctype[^>]*>|<script([^>]*)>(.*?)<\/script>|<\/[\w-]+>|<([\w-]+)((?:[^">]|"[^"]*")*?)\/?>|[^<]+/gis;

/** The elements of a document that React has written. */
export function treeOf(html: string): Tree {
  const root: Tree = ["root", {}];
  const open = [root];
  for (const [text, scriptAttributes, script, tag, attributes] of html.matchAll(token)) {
    const parent = open.at(-1) ?? root;
    if (script !== undefined) {
      parent.push(["script", attributesOf(scriptAttributes ?? ""), script]);
    } else if (tag !== undefined) {
      const element: Tree = [tag, attributesOf(attributes ?? "")];
      parent.push(element);
      if (!voids.has(tag)) open.push(element);
    } else if (text.startsWith("</")) open.pop();
    else if (!text.startsWith("<!")) parent.push(decoded(text));
  }
  return root[2] as Tree;
}

function attributesOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)];
  // React takes styles as objects only.
  return Object.fromEntries(
    pairs.map(([, name = "", value = ""]) => [
      name === "style" ? "data-style" : name,
      decoded(value),
    ]),
  );
}

function decoded(text: string): string {
  return text.replace(/&([#\w]+);/g, (whole, name) => entities[name] ?? whole);
}
