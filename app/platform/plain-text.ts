/** Apart from text.ts, which browsers load. */

/**
 * Characters without ink of their own: spaces, controls, format characters, combining marks, fillers, and
 * symbols that are drawn as nothing.
 */
const unseen =
  /[\s\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{13441}\u{13442}\u{1d159}]/gu;

/** A direction change that is not closed turns round what follows the text. */
const directionChanges = /[\u202a-\u202e\u2066-\u2069]/g;

export function canBeSeen(text: string): boolean {
  return text.replace(unseen, "") !== "";
}

/**
 * A name or title without spaces around it and without direction changes. Empty if nobody can see it. The
 * joiners within emoji and words stay.
 */
export function plainText(text: string): string {
  return canBeSeen(text) ? text.replace(directionChanges, "").trim() : "";
}
