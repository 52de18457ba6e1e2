import { type Refusal, refuse } from "~/domain/refusal";

/** The largest body that is read, in bytes. No form of this product comes near it. */
const maxBodyBytes = 16_384;

/** The most pieces that a body is read in. A slow line brings a kilobyte at a time, not a byte. */
const maxPieces = 64;

/**
 * The fields of a posted form, or of a JSON object posted in its place, as strings. Refused if the
 * body is too large or is neither.
 * @param lists fields that may have several values, which are returned with commas between them; of
 *   any other field the last value counts.
 */
export async function readFields(
  request: Request,
  lists: string[] = [],
): Promise<Map<string, string> | Refusal> {
  const body = await readBody(request, maxBodyBytes);
  if (body === null)
    return refuse(
      413,
      "The request is too large. Nothing was changed. Please go back and enter less.",
    );
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
    return refuse(
      400,
      "The request could not be read. Nothing was changed. Please go back and try again.",
    );
  }
}

/**
 * The whole body, or null if it is larger than `maxBytes` or comes in more pieces than an honest one:
 * each piece takes the processor some time. A declared length is only a hint.
 */
export async function readBody(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.byteLength;
    chunks.push(part.value);
    if (size > maxBytes || chunks.length > maxPieces) return null;
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}

function fieldsOfJson(body: Uint8Array, lists: string[]): Map<string, string> {
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
