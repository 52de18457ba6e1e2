import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readToken, seal, sign, signToken, unseal } from "~/platform/crypto.server";

const secret = "a secret of some length";
/** How the tokens of these tests are read. */
const read = (token: string) => readToken(secret, "confirm", token, " with that");

test("a signature is the HMAC-SHA256 of purpose and text in base64url", async () => {
  const signature = await sign(secret, "confirm", "a text: ümläüt");
  const expected = createHmac("sha256", secret).update("confirm\na text: ümläüt");
  expect(signature).toBe(expected.digest("base64url"));
});

test("a token tells its name, and has the signature of that and of what it is about", async () => {
  const token = await signToken(secret, "confirm", "a.name: ümläüt", " with that");
  const signature = await sign(secret, "confirm", "a.name: ümläüt with that");
  expect(token).toBe(`a.name: ümläüt.${signature}`);
  expect(await read(token)).toBe("a.name: ümläüt");
});

describe("a token is read as nothing if it is", () => {
  test.each([
    { name: "made with another secret", given: { from: "another secret" } },
    { name: "made for another purpose", given: { purpose: "unsubscribe" } },
    { name: "made about something else", given: { about: " with this" } },
    { name: "made about nothing", given: { about: "" } },
  ])("$name", async ({ given }) => {
    const valid = { from: secret, purpose: "confirm", about: " with that" };
    const { from, purpose, about } = { ...valid, ...given };
    expect(await read(await signToken(from, purpose, "a name", about))).toBeNull();
  });

  test("altered anywhere, too short or too long", async () => {
    const token = await signToken(secret, "confirm", "a name", " with that");
    // Two bits of the last character have no meaning.
    for (let at = 0; at < token.length - 1; at += 1) {
      const altered = token[at] === "A" ? "B" : "A";
      expect(await read(token.slice(0, at) + altered + token.slice(at + 1))).toBeNull();
    }
    for (const other of [token.slice(0, -4), `${token}AAAA`]) expect(await read(other)).toBeNull();
  });

  test.each(["", ".", "a", "a.", ".a", "a.b", "a.b.c", "a.no base64!", "a.ä", "a.="])(
    "malformed: %j",
    async (token) => {
      expect(await read(token)).toBeNull();
    },
  );
});

test("what is sealed can be opened again, however long it is", async () => {
  const key = crypto.getRandomValues(new Uint8Array(32));
  const text = "ü".repeat(100_000);
  expect(await unseal(key, await seal(key, text, "binding"), "binding")).toBe(text);
});
