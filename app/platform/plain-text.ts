/** Words of somebody's, and whether people can see them. Apart from text.ts, which browsers load. */

/**
 * Characters without ink of their own: spaces, controls, format characters, marks that sit on another
 * letter, the fillers of Hangul and other scripts, and symbols that are drawn as nothing. What Unicode has
 * assigned since, or leaves to others, is drawn as something.
 */
const unseen =
  /[\s\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{13441}\u{13442}\u{1d159}]/gu;

/** Embeddings, overrides and isolates: one that is not closed turns round what follows the text. */
const directionChanges = /[\u202a-\u202e\u2066-\u2069]/g;

/** Whether a text has a character that people can see. */
export function canBeSeen(text: string): boolean {
  return text.replace(unseen, "") !== "";
}

/**
 * A name, a title or other words of somebody's, without spaces around them and without what changes the
 * writing direction beyond them. Empty if nobody can see them. The joiners within emoji and words stay.
 */
export function plainText(text: string): string {
  return canBeSeen(text) ? text.replace(directionChanges, "").trim() : "";
}
