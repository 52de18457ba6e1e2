/** The `fields` of a query, such as "total,items(item(id,linked_from(id)))", without exclusions. */
type Json = Record<string, unknown>;
type Wanted = Map<string, Wanted>;

/** The answer with the wanted fields only; all of it where no fields are named. */
export function selectFields(answer: Json, fields: string | undefined): Json {
  return fields ? (pick(answer, parse(fields)) as Json) : answer;
}

function pick(value: unknown, wanted: Wanted): unknown {
  if (wanted.size === 0 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => pick(item, wanted));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const inside = wanted.get(name);
      return inside ? [[name, pick(field, inside)]] : [];
    }),
  );
}

/** A name that wants nothing inside of it stands for the whole. */
function parse(fields: string): Wanted {
  const root: Wanted = new Map();
  /** The field that each open parenthesis is inside of. */
  const open = [root];
  let last = root;
  for (const [token] of fields.matchAll(/[\w.]+|[(),]/g)) {
    if (token === "(") open.push(last);
    else if (token === ")") open.pop();
    else if (token !== ",") {
      last = open.at(-1) ?? root;
      for (const name of token.split(".")) {
        const inside: Wanted = last.get(name) ?? new Map();
        last.set(name, inside);
        last = inside;
      }
    }
  }
  return root;
}
