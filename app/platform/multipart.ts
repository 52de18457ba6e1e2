/** The beginning of a field. Its bytes follow, in pieces, until the next field begins. */
export interface FieldStart {
  field: string;
}

const maxFields = 20;
const maxHeadBytes = 4096;
const cr = 13;
const dash = 45;

/**
 * Reads a form (multipart/form-data, RFC 7578) as it comes, and looks at each byte once. What it yields is to be read
 * before the next is asked for.
 * @throws MalformedForm if it ends before its own end, has a field without a name, or more than twenty.
 */
export async function* readMultipart(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<FieldStart | Uint8Array> {
  const delimiter = seeker(`\r\n--${boundary}`);
  const headEnd = seeker("\r\n\r\n");
  const head = new Uint8Array(maxHeadBytes);
  let headBytes = 0;
  let fields = 0;
  let place: "before" | "head" | "content" = "before";
  // So that the first boundary is like the others.
  delimiter.seek(bytesOf("\r\n"), 0);
  for await (const piece of body) {
    for (let at = 0; at < piece.length; ) {
      if (place === "head") {
        const end = headEnd.seek(piece, at);
        const part = piece.subarray(at, end);
        if (headBytes + part.length > maxHeadBytes) throw new MalformedForm();
        head.set(part, headBytes);
        headBytes += part.length;
        at = end;
        if (headBytes >= 2 && head[0] === dash && head[1] === dash) return;
        if (!headEnd.isFound()) break;
        fields += 1;
        if (fields > maxFields) throw new MalformedForm();
        yield { field: nameIn(new TextDecoder().decode(head.subarray(0, headBytes))) };
        place = "content";
        delimiter.restart();
      } else {
        const before = delimiter.seen();
        const end = delimiter.seek(piece, at);
        // What may be the beginning of a boundary waits for the next piece.
        const sure = before.length + (end - at) - delimiter.seen().length;
        const isOfBefore = Math.min(sure, before.length);
        if (place === "content" && isOfBefore > 0) yield before.subarray(0, isOfBefore);
        const own = piece.subarray(at, at + sure - isOfBefore);
        if (place === "content" && own.length > 0) yield own;
        at = end;
        if (!delimiter.isFound()) break;
        place = "head";
        headBytes = 0;
        headEnd.restart();
      }
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

/** Looks for a text that begins with a carriage return and has a second one only where it begins anew. */
function seeker(text: string) {
  const wanted = bytesOf(text);
  let matched = 0;
  return {
    /** The place behind it; the end of the piece where it has not ended there. */
    seek(piece: Uint8Array, from: number): number {
      const { length } = wanted;
      let seen = matched;
      let at = from;
      for (; at < piece.length && seen < length; at += 1) {
        const byte = piece[at];
        if (byte === wanted[seen]) seen += 1;
        else seen = byte === cr ? 1 : 0;
      }
      matched = seen;
      return at;
    },
    isFound: () => matched === wanted.length,
    /** What has come of it. */
    seen: () => wanted.subarray(0, matched),
    restart() {
      matched = 0;
    },
  };
}
