import { type Rejection, reject } from "~/platform/rejection";

/** The fields of a form or JSON object. Several values of those in `lists` get commas between them. */
export async function readFields(
  request: Request,
  lists: string[] = [],
): Promise<Map<string, string> | Rejection> {
  const body = await request.arrayBuffer();
  if (body.byteLength === 0) return new Map();
  const type = request.headers.get("Content-Type") ?? "";
  try {
    if (type.toLowerCase().startsWith("application/json")) return fieldsOfJson(body, lists);
    const form = await new Response(body, { headers: { "Content-Type": type } }).formData();
    const fields = new Map<string, string>();
    for (const [name, value] of form) {
      if (typeof value !== "string") continue;
      const before = lists.includes(name) ? fields.get(name) : undefined;
      fields.set(name, before === undefined ? value : `${before},${value}`);
    }
    return fields;
  } catch {
    return reject(
      400,
      "What you sent could not be read. Nothing was changed. Go back and try again.",
    );
  }
}

function fieldsOfJson(body: ArrayBuffer, lists: string[]): Map<string, string> {
  const json: unknown = JSON.parse(new TextDecoder().decode(body));
  const fields = new Map<string, string>();
  if (typeof json !== "object" || json === null) return fields;
  for (const [name, value] of Object.entries(json)) {
    const isList = lists.includes(name) && Array.isArray(value);
    if (isList || ["string", "number", "boolean"].includes(typeof value)) {
      // JSON can spell lone surrogates, but no URL and no other service accepts them.
      fields.set(name, String(value).toWellFormed());
    }
  }
  return fields;
}
