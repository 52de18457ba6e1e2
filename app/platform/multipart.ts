/** The beginning of a field. Its bytes follow, in pieces, until the next field begins. */
export interface FieldStart {
  field: string;
}

const maxHeadBytes = 4096;
const cr = 13;

/**
 * Reads a form (multipart/form-data, RFC 7578) as it comes, keeping no more of it than a boundary's length.
 * @throws MalformedForm if it ends before its own end, or has a field without a name.
 */
export async function* readMultipart(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<FieldStart | Uint8Array> {
  const delimiter = bytesOf(`\r\n--${boundary}`);
  // So that the first boundary is like the others.
  let held = bytesOf("\r\n");
  let place: "before" | "head" | "content" = "before";
  for await (const piece of body) {
    held = joined(held, piece);
    for (;;) {
      if (place === "head") {
        if (held.length >= 2 && held[0] === 45 && held[1] === 45) return;
        const end = indexOf(held, bytesOf("\r\n\r\n"));
        if (end < 0 && held.length > maxHeadBytes) throw new MalformedForm();
        if (end < 0) break;
        yield { field: nameIn(new TextDecoder().decode(held.subarray(0, end))) };
        held = held.subarray(end + 4);
        place = "content";
      }
      const end = indexOf(held, delimiter);
      const isEnd = end >= 0;
      // What may be the beginning of a boundary waits for the next piece.
      const sure = isEnd ? end : Math.max(0, held.length - delimiter.length + 1);
      if (place === "content" && sure > 0) yield held.subarray(0, sure);
      held = held.subarray(isEnd ? end + delimiter.length : sure);
      if (!isEnd) break;
      place = "head";
    }
  }
  throw new MalformedForm();
}

export class MalformedForm extends Error {
  override name = "MalformedForm";
}

/** The boundary that a form's Content-Type names. Null for other types. */
export function boundaryOf(contentType: string | null): string | null {
  const [, quoted, bare] =
    /^multipart\/form-data;.*\bboundary=(?:"([^"]{1,70})"|([^\s;,"]{1,70}))/i.exec(
      contentType ?? "",
    ) ?? [];
  return quoted ?? bare ?? null;
}

function nameIn(head: string): string {
  const [, name] =
    /^content-disposition:\s*form-data\s*(?:;[^\n]*?)?;\s*name="([^"]*)"/im.exec(head) ?? [];
  if (!name) throw new MalformedForm();
  return name;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** `wanted` begins with a carriage return. */
function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  for (let at = bytes.indexOf(cr); at >= 0; at = bytes.indexOf(cr, at + 1)) {
    if (at + wanted.length > bytes.length) return -1;
    // Files can have many carriage returns, which a line feed seldom follows.
    if (bytes[at + 1] === 10 && wanted.every((byte, n) => bytes[at + n] === byte)) return at;
  }
  return -1;
}
