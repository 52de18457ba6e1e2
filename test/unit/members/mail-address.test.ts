import fc from "fast-check";
import { expect, test } from "vitest";
import {
  comparableAddress,
  hasDoubtfulTag,
  mailboxOf,
  readMailAddress,
} from "~/members/mail-address";
import { isRejection } from "~/platform/rejection";
import { migratedDatabase } from "../migrated-database.ts";

/** The address read, or the sentence that says why there is none. */
function read(entered: string): string {
  const address = readMailAddress(entered);
  return isRejection(address) ? address.error : address;
}

const address = fc
  .tuple(
    fc.stringMatching(/^[a-z0-9]{1,9}([.+_'-][A-Z0-9]{1,9}){0,2}$/),
    fc.stringMatching(/^([a-z0-9]{1,9}\.){1,3}example$/),
  )
  .map(([local, domain]) => `${local}@${domain}`);
/** Characters that nobody sees, as they come along when something is pasted. */
const unseen = fc.constantFrom(
  ..."\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u061c\u115f\u180e\u200e\u202a\u202e\u2066\u2069\u3164\uffa0\ufe0f",
);

test.each<[string, (address: string) => string]>([
  ["spaces", (address) => `\u00a0\t${address} \u3000\u2003`],
  ["a line break at the end", (address) => `${address}\r\n`],
  ["a name", (address) => `Ada Lovelace <${address}>`],
  ["a name in quotes", (address) => `"Lovelace, Ada" <${address}>,`],
  ["a name of many letters", (address) => `愛 \ud83d\udc69\u200d\ud83c\udfa4 <${address}>`],
  ["a name after it", (address) => `${address} (Ada)`],
  ["pointed brackets", (address) => `<${address}>`],
  ["brackets", (address) => `(${address})`],
  ["quotes", (address) => `“${address}”`],
  ["a full stop", (address) => `${address}.`],
  ["a comma", (address) => `${address},`],
  ["mailto:", (address) => `mailto:${address}`],
  ["mailto: with slashes", (address) => `mailto://${address}`],
  ["mailto: with a subject", (address) => `MAILTO:${address}?subject=Hi&cc=b%40c.example`],
  ["mailto: in brackets", (address) => `<mailto:${address}>`],
  ["mailto: with escapes", (address) => `mailto:${encodeURIComponent(address)}`],
  ["full-width signs", (address) => address.replace("@", "＠").replaceAll(".", "．")],
])("what is pasted along with an address is taken off: %s", (_what, dress) => {
  fc.assert(
    fc.property(address, (given) => {
      expect(read(dress(given))).toBe(given);
    }),
  );
});

test("what is pasted along with an address is taken off: characters that nobody sees, wherever they are", () => {
  const places = fc.array(fc.tuple(fc.nat(60), unseen), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(address, places, (given, added) => {
      const parts = Array.from(given);
      for (const [at, character] of added) parts.splice(at % parts.length, 0, character);
      expect(read(parts.join(""))).toBe(given);
    }),
  );
});

test.each([
  ["ada@Mail.EXAMPLE", "ada@mail.example"],
  ["Ada@mail.example", "Ada@mail.example"],
  ["ada@münchen.example", "ada@xn--mnchen-3ya.example"],
  ["ada@mu\u0308nchen.example", "ada@xn--mnchen-3ya.example"],
  ["ada@пример.рф", "ada@xn--e1afmkfd.xn--p1ai"],
  ["ada@例え。テスト", "ada@xn--r8jz45g.xn--zckzah"],
])("the domain of %j is put into ASCII", (entered, expected) => {
  expect(read(entered)).toBe(expected);
  expect(read(expected)).toBe(expected);
});

test.each<[RegExp, string[]]>([
  [/with “ö” before the @/, ["jörg@mail.example", "Jörg <jörg@münchen.example>"]],
  [/with “ј” before the @/, ["јane@mail.example"]],
  [
    /one e-mail address only/,
    ["a@b.example, c@d.example", "a@b.example c@d.example", "A <a@b.example>; B <c@d.example>"],
  ],
  [
    /alone/,
    [
      "Ada ada@mail.example",
      "ada @mail.example",
      "ada@mail. example",
      "mailto:ada%0d%0aBcc:x@mail.example",
    ],
  ],
  [
    /does not look like/,
    [
      ...["", " ", "@", "ada", "ada@", "@mail.example", "ada@mail", "ada@localhost", "mailto:"],
      ...["ada@127.0.0.1", "ada@[127.0.0.1]", "ada@1", "ada@mail.example:25", "ada@mail.example/x"],
      ...["ada@user@mail.example", "ada@mail..example", "ada@-mail.example", "ada@.example"],
      ...[".ada@mail.example", "ada.@mail.example", "a..da@mail.example", "ada@%6dail.example"],
      ...["ada@mail.example\r\nBcc: all@mail.example", "ada@mail.example\nm", "a\0da@mail.example"],
      ...["mailto:ada%00@mail.example", "mailto:%@b.example"],
      ...[`${"a".repeat(65)}@mail.example`, `ada@${"a".repeat(64)}.example`],
      ...[`ada@${"abcdefgh.".repeat(30)}example`, `${"Ada ".repeat(250)}<ada@mail.example>`],
    ],
  ],
])("refused with %s", (sentence, entered) => {
  for (const text of entered)
    expect([text, read(text)]).toEqual([text, expect.stringMatching(sentence)]);
});

test("whatever is entered, an address that is read is plain, and reading it again changes nothing", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.oneof(address, unseen, fc.string({ maxLength: 3 }))).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (entered) => {
      const found = readMailAddress(entered);
      fc.pre(!isRejection(found));
      expect(found).toMatch(/^[\x21-\x7e]+@[a-z0-9.-]+$/);
      expect(found).not.toMatch(/[\s<>,;:"()[\]\\].*@|@.*@/);
      expect(found.length).toBeLessThanOrEqual(254);
      expect(read(found)).toBe(found);
    }),
  );
});

test("addresses are compared without regard to case, width and spelling of the domain", () => {
  fc.assert(
    fc.property(address, (given) => {
      const one = comparableAddress(given);
      for (const other of [given.toUpperCase(), `<${given}>`, given.replace("@", "＠")]) {
        expect(comparableAddress(other)).toBe(one);
      }
      expect(comparableAddress(`x${given}`)).not.toBe(one);
    }),
  );
});

test("a long text is refused at once", () => {
  for (const piece of ["@", "@ ", " ", ",", "a@", "<", "(", "\u200b", "."]) {
    expect(isRejection(readMailAddress(piece.repeat(1000)))).toBe(true);
    expect(isRejection(readMailAddress(`a@b${piece.repeat(900)}`))).toBe(true);
  }
});

test.each([
  ["Ada@Mail.Example", "ada@mail.example", false],
  ["ada+fivefold@mail.example", "ada@mail.example", true],
  ["ada+one+two@mail.example", "ada@mail.example", true],
  ["a.d.a@mail.example", "a.d.a@mail.example", false],
  ["+ada@mail.example", "+ada@mail.example", false],
  ["+ada+x@mail.example", "+ada+x@mail.example", false],
  ["ada@sub.gmail.com", "ada@sub.gmail.com", false],
  ["a.d.a@notgmail.com", "a.d.a@notgmail.com", false],
  ["A.d.a+x@gmail.com", "ada@gmail.com", false],
  ["ada+x.y@googlemail.com", "ada@gmail.com", false],
  ["Ada <ada+x@mail.example>", "ada@mail.example", true],
  // What Spotify may tell, and nobody can read.
  ["no address", "no address", false],
])("the mailbox of an address of %s is %s", (address, mailbox, isDoubtful) => {
  expect(mailboxOf(address)).toBe(mailbox);
  expect(hasDoubtfulTag(address)).toBe(isDoubtful);
});

const taggedAddress = fc
  .tuple(
    fc.stringMatching(/^[a-zA-Z0-9+_'-]{1,6}([.+][a-zA-Z0-9+]{1,4}){0,3}$/),
    fc.constantFrom("gmail.com", "googlemail.com", "mail.example", "GMAIL.com", "x.gmail.com"),
  )
  .map(([local, domain]) => `${local}@${domain}`);

test("the mailbox of an address is the same for the database, and the mailbox of itself", () => {
  const db = migratedDatabase();
  db.exec(
    "INSERT INTO users (id, spotify_id, display_name, created_at, updated_at) VALUES ('u', 's', 'U', 0, 0)",
  );
  const set = db.prepare("UPDATE users SET own_email = ? RETURNING own_mailbox");
  fc.assert(
    fc.property(taggedAddress, (entered) => {
      const kept = read(entered);
      if (!kept.includes("@")) return;
      expect(set.get(kept)).toEqual({ own_mailbox: mailboxOf(kept) });
      expect(mailboxOf(mailboxOf(kept))).toBe(mailboxOf(kept));
    }),
  );
});
