/** Stripe's form encoding: brackets nest, `[0]` and `[]` count. */

export type Form = string | Form[] | { [name: string]: Form };
export type Fields = { [name: string]: Form };

interface Tree {
  [name: string]: string | Tree;
}

/** Reads "line_items[0][price]=p&expand[]=customer" into objects, arrays and strings. */
export function parseForm(encoded: string): Fields {
  const root = emptyTree();
  for (const [name, value] of new URLSearchParams(encoded)) {
    const [first = "", ...rest] = name.split("[").map((part) => part.replace(/\]$/, ""));
    let branch = root;
    let key = first;
    for (const part of rest) {
      const next = branch[key];
      const below = typeof next === "object" ? next : emptyTree();
      branch[key] = below;
      branch = below;
      key = part === "" ? String(Object.keys(branch).length) : part;
    }
    branch[key] = value;
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, settled(value)]));
}

/** Without a prototype, so that no name means anything but itself. */
function emptyTree(): Tree {
  return Object.create(null) as Tree;
}

/** Branches whose names are all numbers are arrays. */
function settled(value: string | Tree): Form {
  if (typeof value === "string") return value;
  const entries = Object.entries(value).map(([name, below]) => [name, settled(below)] as const);
  return entries.every(([name]) => /^\d+$/.test(name))
    ? entries.map(([, below]) => below)
    : Object.fromEntries(entries);
}
