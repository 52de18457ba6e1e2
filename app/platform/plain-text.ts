/** Apart from text.ts, which browsers load. */

/**
 * Characters without ink of their own: spaces, controls, format characters, combining marks, fillers, and
 * symbols that are drawn as nothing.
 */
const unseen =
  /[\s\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{13441}\u{13442}\u{1d159}]/gu;

/**
 * Embeddings, overrides and isolates, of which one that is not closed turns round what follows the text;
 * controls but tabs and line breaks; and halves of letters, which JSON, HTML and SQL each make something else of.
 */
const foreign = /[\u202a-\u202e\u2066-\u2069\p{Cs}]|[^\P{Cc}\t\n\r\u0085]/gu;

/**
 * What is beyond eight marks on one letter: piled up they cannot be broken, and so make a page wider than its
 * window. No writing has so many.
 */
const piledUp = /([\p{M}\u200c\u200d]{8})[\p{M}\u200c\u200d]+/gu;

const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

export function canBeSeen(text: string): boolean {
  return text.replace(unseen, "") !== "";
}

/**
 * Words of somebody's, composed (NFC), without spaces around them, and without what changes the writing direction
 * beyond them, is no letter, or is piled up. Empty if nobody can see them. The joiners within emoji and words stay.
 */
export function plainText(text: string): string {
  if (!canBeSeen(text)) return "";
  return text.replace(foreign, "").normalize().replace(piledUp, "$1").trim();
}

/** Of what one sees as one character: letters with their marks, flags and most families of emoji have fewer. */
const bytesEach = 16;

/**
 * Whether a text has more characters, as people see them, or takes more room than so many do. Where a browser cannot
 * count them, room alone decides.
 */
export function isLonger(text: string, most: number): boolean {
  if (new TextEncoder().encode(text).length > most * bytesEach) return true;
  const { Segmenter }: Partial<Pick<typeof Intl, "Segmenter">> = Intl;
  if (!Segmenter) return false;
  const characters = new Segmenter("en", { granularity: "grapheme" }).segment(text);
  return Array.from(characters).length > most;
}

/** A name or a title as `plainText`, on one line. */
export function plainName(text: string): string {
  return plainText(text.replace(lineBreaks, " "));
}
