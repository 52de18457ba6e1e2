/** Stripe's form encoding: brackets nest, and `[0]` or `[]` make arrays. */

export type Form = string | Form[] | { [name: string]: Form };
export type Fields = { [name: string]: Form };

interface Tree {
  [name: string]: string | Tree;
}

/** Parses "line_items[0][price]=p&expand[]=customer" into objects, arrays and strings. */
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
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, toForm(value)]));
}

/** Has no prototype, so that a name such as "constructor" is an ordinary one. */
function emptyTree(): Tree {
  return Object.create(null) as Tree;
}

/** Turns branches whose names are all numbers into arrays. */
function toForm(value: string | Tree): Form {
  if (typeof value === "string") return value;
  const entries = Object.entries(value).map(([name, below]) => [name, toForm(below)] as const);
  return entries.every(([name]) => /^\d+$/.test(name))
    ? entries.map(([, below]) => below)
    : Object.fromEntries(entries);
}
