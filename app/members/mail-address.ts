import { type Rejection, reject } from "~/platform/rejection";

/** In code units. Leaves room for a long name beside the address. */
const maxEntered = 1000;
/** In characters (RFC 5321 and RFC 1035). */
const longest = { address: 254, local: 64, label: 63 };

/** Without % and !, by which some servers pass a mail on to another address. */
const atom = "[a-z0-9#$&'*+/=?^_`{|}~-]+";
const localPart = new RegExp(`^${atom}(\\.${atom})*$`, "i");
const domainName = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,}|xn--[a-z0-9-]*[a-z0-9])$/;
/** Before the domain is put into ASCII, with the dot of Chinese and Japanese. */
const domainCharacters = /^[\p{L}\p{M}\p{N}.\u3002-]+$/u;

const addressTexts = {
  unreadable: "This does not look like an e-mail address. Look at it once more.",
  several: "Enter one e-mail address only.",
  alone: "Enter the e-mail address alone, without other words beside it.",
  foreignLetters: (letters: string) =>
    `We cannot send e-mails to an address with “${letters}” before the @. Use one that has only the letters a to z, digits and signs there.`,
};

/**
 * Reads what somebody has entered or pasted: also with invisible characters, as a `mailto:` link, with a name
 * or brackets around it, or in full-width letters. The domain is put into lower case and ASCII. Returns
 * visible ASCII, or why there is no address.
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
 * The one spelling by which limits, suppressions and accounts are compared. What cannot be read as an address
 * only loses case and width.
 */
export function comparableAddress(address: string): string {
  const read = readMailAddress(address);
  return (typeof read === "string" ? read : address.normalize("NFKC").trim()).toLowerCase();
}

/** Hosts that ignore dots, and know every tag. */
const dotless = /@(gmail|googlemail)\.com$/;

/**
 * The mailbox of an address: as it is compared, without a `+tag`, and at Gmail without dots. Limits, accounts and what
 * outlives them go by it (rule 41, codes); mail goes to the address as it was entered.
 */
export function mailboxOf(address: string): string {
  const compared = comparableAddress(address);
  const untagged = compared.replace(/^([^+@][^+@]*)\+[^@]*@/, "$1@");
  if (!dotless.test(untagged)) return untagged;
  return `${untagged.replace(dotless, "").replaceAll(".", "")}@gmail.com`;
}

/** Whether its host may know a tagged address as another mailbox than the one that `mailboxOf` says. */
export function hasDoubtfulTag(address: string): boolean {
  const mailbox = mailboxOf(address);
  return mailbox !== comparableAddress(address) && !dotless.test(mailbox);
}

function withoutSurroundings(text: string): string {
  const [, bracketed] = /^[^<>]*<([^<>]*)>[\s,;.]*$/.exec(text) ?? [];
  const [, commented] = /^(\S+@\S+)\s+\([^()@]*\)$/.exec(text) ?? [];
  const bare = trimmed(bracketed ?? commented ?? text);
  return /^mailto:/i.test(bare) ? addressOfLink(bare.replace(/^mailto:(\/\/)?/i, "")) : bare;
}

function addressOfLink(target: string): string {
  const [address = ""] = target.split("?");
  try {
    return trimmed(decodeURIComponent(address));
  } catch {
    return address;
  }
}

function trimmed(text: string): string {
  return text.replace(/^[\s"'“”„«»‘’([{<]+|[\s"'“”„«»‘’)\]}>.,;:\u3002]+$/gu, "");
}

/** In lower case and ASCII (IDNA). Null if it is no domain, or names a machine by its number. */
function asciiDomain(domain: string): string | null {
  if (!domainCharacters.test(domain) || !URL.canParse(`http://${domain}`)) return null;
  const { hostname } = new URL(`http://${domain}`);
  const labels = hostname.split(".");
  const isSound = domainName.test(hostname) && labels.every((one) => one.length <= longest.label);
  return isSound ? hostname : null;
}
