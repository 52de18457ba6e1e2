import { tierConfigs } from "~/members/tiers";
import { canBeSeen } from "~/platform/plain-text";
import { counted } from "~/platform/text";
import type { MailSong, Run } from "./mail";

/**
 * A text without line breaks, control characters, and the characters that change the writing direction of
 * what follows. Empty if nobody can see it.
 */
export function oneLine(text: string): string {
  if (!canBeSeen(text)) return "";
  return text
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Cuts a text to at most `limit` grapheme clusters, the ellipsis included. Code units are limited to four
 * times that, because a single character can have thousands of combining marks.
 */
function shortened(text: string, limit: number): string {
  const parts = Array.from(graphemes.segment(text), ({ segment }) => segment);
  if (parts.length <= limit && text.length <= limit * 4) return text;
  let kept = "";
  for (const part of parts.slice(0, limit - 1)) {
    if (kept.length + part.length > limit * 4) break;
    kept += part;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * A song's title in quotes, for a subject or a preview. Put it at the end, because a title written from
 * right to left draws numbers that follow it into itself.
 */
export function quoted(title: string): string {
  const line = shortened(oneLine(title), 48);
  return line ? `“${line}”` : "your song";
}

export const whySongMails =
  "You are receiving this e-mail because e-mails about your songs are switched on in your settings.";

const { free } = tierConfigs;

/** What one can do against a decision. */
export const redress =
  "If you disagree, just answer this e-mail: a person will read it. You can also turn to a certified body for out-of-court dispute settlement, or to a court.";

export const withFree = `With ${free.name}, you listen to a song for ${counted(free.requiredSeconds, "second")} before you rate it, rate ${counted(free.ratingsToSubmit, "song")} before you add one, and see the ${counted(free.maxVisibleRatings, "most recent rating")} of each of your songs.`;

export const onlyYouSeeRatings = "Only you see the ratings of your songs, unless you share them.";

export function greeting(name: string): Run[] {
  const line = shortened(oneLine(name), 60);
  return line ? ["Hello ", { own: line }, ","] : ["Hello,"];
}

/**
 * Text that no mail client turns into a link. Dots and colons may only stand before a space or at the end
 * ("J. S. Bach"), a slash only within a word ("AC/DC"), a joiner only within an emoji.
 */
const harmless =
  /^(?:[\p{L}\p{M}\p{Nd}\p{So}\p{Sk}\p{Sc} '’‘"“”„«»,;!?¡¿()[\]&+\-–—_*~=|%·]|(?:\.+|:)(?=[ )]|$)|(?<=[\p{L}\p{Nd}])\/(?=[\p{L}\p{Nd}])|(?<=[\p{So}\p{Sk}\p{M}])\u200d(?=\p{So}))*$/u;

/** From as many digits on, phones take a text for a telephone number. */
const phoneNumberDigits = 6;

/**
 * A name or a title for a mail to an address that nobody has confirmed; empty if a mail client might turn a
 * part of it into a link. A stranger may have entered that address, and chosen a name that leads somewhere.
 * Dots cannot be broken up reliably, because clients see through invisible characters and the dots of other
 * scripts. So the whole is left out, unless its compatibility form (NFKC) is harmless.
 */
export function unlinkable(text: string): string {
  const line = oneLine(text);
  const plain = line.normalize("NFKC");
  const digits = plain.match(/\p{Nd}/gu) ?? [];
  return harmless.test(plain) && digits.length < phoneNumberDigits ? line : "";
}

/** Where this leaves the title empty, mails speak of "your song". */
export function unlinkableSong<Song extends MailSong>(song: Song): Song {
  const artists = unlinkable(song.artists.join(", "));
  return { ...song, title: unlinkable(song.title), artists: artists ? [artists] : [] };
}
