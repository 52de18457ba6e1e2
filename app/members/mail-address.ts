/** What people enter and other services give as an e-mail address, read as one that mails can go to. */
import { type Rejection, reject } from "~/platform/rejection";

/** The longest text that is read, in code units: an address with a long name beside it. */
const maxEntered = 1000;
/** The longest address and its longest parts, in characters (RFC 5321 and RFC 1035). */
const longest = { address: 254, local: 64, label: 63 };

/** Without % and !, by which some servers pass a mail on to another address. */
const atom = "[a-z0-9#$&'*+/=?^_`{|}~-]+";
const localPart = new RegExp(`^${atom}(\\.${atom})*$`, "i");
const domainName = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,}|xn--[a-z0-9-]*[a-z0-9])$/;
/** The characters of a domain before it is put into ASCII, with the dot of Chinese and Japanese. */
const domainCharacters = /^[\p{L}\p{M}\p{N}.\u3002-]+$/u;

const addressTexts = {
  unreadable: "This does not look like an e-mail address. Please check it.",
  several: "Please enter one e-mail address only.",
  alone: "Please enter the e-mail address alone, without other words beside it.",
  foreignLetters: (letters: string) =>
    `We cannot send e-mails to an address with “${letters}” before the @. Please use one that has only the letters a to z, digits and signs there.`,
};

/**
 * The address in a text that somebody has entered or pasted: also with characters that nobody sees, as a
 * `mailto:` link, with a name or brackets around it, or in full-width letters. The part before the @ stays
 * as it was spelled; the domain is put into lower case and ASCII, as it is sent.
 * @returns the address, which has no other characters than ASCII's visible ones, or why there is none.
 */
export function readMailAddress(entered: string): string | Rejection {
  if (entered.length > maxEntered) return reject(422, addressTexts.unreadable);
  const text = entered
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}|\p{Cf}/gu, "")
    .trim();
  // What follows a line break may be the rest of the address, or something else.
  if (/[^\P{Cc}\t]|[\u2028\u2029]/u.test(text)) return reject(422, addressTexts.unreadable);
  const address = withoutSurroundings(text);
  const [local = "", domain = "", ...furtherParts] = address.split("@");
  if (domain !== "" && /[\s,;]/.test(address)) {
    return reject(422, furtherParts.length > 0 ? addressTexts.several : addressTexts.alone);
  }
  const ascii = asciiDomain(domain);
  if (furtherParts.length > 0 || ascii === null) return reject(422, addressTexts.unreadable);
  const foreign = /[^\0-\x7f]/u.exec(local)?.[0];
  if (foreign) return reject(422, addressTexts.foreignLetters(foreign));
  const spelled = `${local}@${ascii}`;
  const isSound =
    localPart.test(local) && local.length <= longest.local && spelled.length <= longest.address;
  return isSound ? spelled : reject(422, addressTexts.unreadable);
}

/**
 * An address in the one spelling by which limits, suppressions and accounts are compared: those that reach
 * the same mailbox are the same. What cannot be read as an address stays as it is, but for case and width.
 */
export function comparableAddress(address: string): string {
  const read = readMailAddress(address);
  return (typeof read === "string" ? read : address.normalize("NFKC").trim()).toLowerCase();
}

/** A text without what is pasted along with an address. */
function withoutSurroundings(text: string): string {
  const [, bracketed] = /^[^<>]*<([^<>]*)>[\s,;.]*$/.exec(text) ?? [];
  const [, commented] = /^(\S+@\S+)\s+\([^()@]*\)$/.exec(text) ?? [];
  const bare = trimmed(bracketed ?? commented ?? text);
  return /^mailto:/i.test(bare) ? addressOfLink(bare.slice("mailto:".length)) : bare;
}

/** The address of a `mailto:` link, without the subject and text that it may bring along. */
function addressOfLink(target: string): string {
  const [address = ""] = target.split("?");
  try {
    return trimmed(decodeURIComponent(address));
  } catch {
    return address;
  }
}

/** A text without spaces, quotes, brackets and punctuation around it. */
function trimmed(text: string): string {
  return text.replace(/^[\s"'“”„«»‘’([{<]+|[\s"'“”„«»‘’)\]}>.,;:\u3002]+$/gu, "");
}

/** A domain in lower case and ASCII (IDNA); null if it is none, or names a machine by its number. */
function asciiDomain(domain: string): string | null {
  if (!domainCharacters.test(domain) || !URL.canParse(`http://${domain}`)) return null;
  const { hostname } = new URL(`http://${domain}`);
  const labels = hostname.split(".");
  const isSound = domainName.test(hostname) && labels.every((one) => one.length <= longest.label);
  return isSound ? hostname : null;
}
