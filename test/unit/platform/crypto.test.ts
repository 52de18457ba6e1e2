import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { isSigned, seal, sign, unseal } from "~/platform/crypto.server";

const secret = "a secret of some length";
/** How the tokens of these tests are read. */
const read = (token: string) => readToken(secret, "confirm", token, " with that");

test("a signature is the HMAC-SHA256 of purpose and text in base64url", async () => {
  const signature = await sign(secret, "confirm", "a text: ümläüt");
  const expected = createHmac("sha256", secret).update("confirm\na text: ümläüt");
  expect(signature).toBe(expected.digest("base64url"));
});

test.each([
  { name: "made with another secret", secret: "another secret" },
  { name: "made for another purpose", purpose: "unsubscribe" },
  { name: "made of another text", text: "a text " },
  { name: "made of an empty text", text: "" },
])("a signature is invalid if it is $name", async (given) => {
  const {
    secret: from = secret,
    purpose = "confirm",
    text = "a text",
  } = given as Partial<Record<"secret" | "purpose" | "text", string>>;
  const signature = await sign(from, purpose, text);
  expect(await isSigned(signature, signed)).toBe(false);
});

test("a signature is invalid if it is altered anywhere, too short or too long", async () => {
  const signature = await sign(secret, "confirm", "a text");
  // Two bits of the last character have no meaning.
  for (let at = 0; at < signature.length - 1; at += 1) {
    const altered = signature[at] === "A" ? "B" : "A";
    const other = signature.slice(0, at) + altered + signature.slice(at + 1);
    expect(await isSigned(other, signed)).toBe(false);
  }
  for (const other of [signature.slice(0, -4), `${signature}AAAA`]) {
    expect(await isSigned(other, signed)).toBe(false);
  }
});

test.each(["", "no base64!", "ä", "=", "a"])(
  "a signature is invalid if it is malformed: %j",
  async (signature) => {
    expect(await isSigned(signature, signed)).toBe(false);
  },
);

test("what is sealed can be opened again, however long it is", async () => {
  const key = crypto.getRandomValues(new Uint8Array(32));
  const text = "ü".repeat(100_000);
  expect(await unseal(key, await seal(key, text, "binding"), "binding")).toBe(text);
});
