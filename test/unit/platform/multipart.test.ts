import fc from "fast-check";
import { expect, test } from "vitest";
import { boundaryOf, MalformedForm, readMultipart } from "~/platform/multipart";

async function* inPieces(bytes: Uint8Array, sizes: number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, n = 0; at < bytes.length; n += 1) {
    const size = sizes[n % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** The fields of a form, with their bytes. */
async function fieldsOf(body: AsyncIterable<Uint8Array>, boundary: string) {
  const fields: [string, number[]][] = [];
  for await (const piece of readMultipart(body, boundary)) {
    if (piece instanceof Uint8Array) fields.at(-1)?.[1].push(...piece);
    else fields.push([piece.field, []]);
  }
  return fields;
}

/** Bytes that come close to a boundary, again and again. */
const trickyBytes = fc
  .array(fc.oneof(fc.constantFrom(..."\r\n-", "\r\n--", "\r\n------"), fc.string({ maxLength: 9 })))
  .map((parts) => new TextEncoder().encode(parts.join("")));

test("fields come out as they went in, whatever they hold and in whatever pieces", async () => {
  const form = fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,9}$/), trickyBytes), { minLength: 1 });
  const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(form, sizes, async (fields, pieces) => {
      const data = new FormData();
      for (const [name, bytes] of fields)
        data.append(name, new File([bytes], 'a "name"; name="x"'));
      const whole = new Response(data);
      const boundary = boundaryOf(whole.headers.get("Content-Type")) ?? "";
      const body = new Uint8Array(await whole.arrayBuffer());
      const expected = fields.map(([name, bytes]) => [name, [...bytes]]);
      expect(await fieldsOf(inPieces(body, pieces), boundary)).toEqual(expected);
      const cut = body.subarray(0, body.length - 5);
      await expect(fieldsOf(inPieces(cut, pieces), boundary)).rejects.toThrow(MalformedForm);
    }),
    { numRuns: 60 },
  );
});

test("what is no form, or has a field without a name, is refused", async () => {
  const bytes = (text: string) => inPieces(new TextEncoder().encode(text), [7]);
  const head = 'Content-Disposition: form-data; filename="x"';
  for (const text of ["", "--b", "--b\r\n\r\n\r\n--b--", `--b\r\n${head}\r\n\r\n\r\n--b--`]) {
    await expect(fieldsOf(bytes(text), "b")).rejects.toThrow(MalformedForm);
  }
  await expect(fieldsOf(bytes(`--b\r\n${"x".repeat(9000)}`), "b")).rejects.toThrow(MalformedForm);
  expect(await fieldsOf(bytes("--b--"), "b")).toEqual([]);
});

test("a file of nothing but line breaks is read whole", async () => {
  const breaks = new TextEncoder().encode("\r\n".repeat(1_000_000));
  const head = '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n';
  const parts = [new TextEncoder().encode(head), breaks, new TextEncoder().encode("\r\n--b--")];
  const body = new Uint8Array(await new Blob(parts).arrayBuffer());
  let size = 0;
  for await (const piece of readMultipart(inPieces(body, [65_536]), "b")) {
    if (piece instanceof Uint8Array) size += piece.length;
  }
  expect(size).toBe(breaks.length);
});

test.each([
  ["multipart/form-data; boundary=abc", "abc"],
  ['multipart/form-data; charset=utf-8; boundary="a b"', "a b"],
  ["multipart/mixed; boundary=abc", null],
  ["text/plain", null],
  [null, null],
])("the boundary in %s is %s", (type, boundary) => {
  expect(boundaryOf(type)).toBe(boundary);
});
