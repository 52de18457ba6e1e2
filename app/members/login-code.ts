import { minuteMs } from "~/platform/dates";
import { canBeSeen, plainName } from "~/platform/plain-text";
import { type Rejection, reject } from "~/platform/rejection";
import { counted } from "~/platform/text";

export const codeMinutes = 10;
export const codeMs = codeMinutes * minuteMs;
export const codeDigits = 6;
/** In code units. Leaves room for what is pasted along with a code. */
export const maxTyped = 40;

/**
 * The six digits in what somebody has typed or pasted, such as "123 456": in digits of whatever width, or Arabic ones.
 * Null if there are more or fewer.
 */
export function readCode(typed: string): string | null {
  if (typed.length > maxTyped) return null;
  const digits = typed
    .normalize("NFKC")
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/[^0-9]/g, "");
  return digits.length === codeDigits ? digits : null;
}

/** In what people see as characters. */
const maxName = 60;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** In code units, of which an emoji has several. */
export const maxEnteredName = 4 * maxName;

export function readArtistName(entered: string): string | Rejection {
  const name = entered.length > maxEnteredName ? "" : plainName(entered.normalize());
  const length = Array.from(graphemes.segment(name)).length;
  if (entered.length <= maxEnteredName && !canBeSeen(name)) {
    return reject(422, "Please enter your artist's name.");
  }
  return name !== "" && length <= maxName
    ? name
    : reject(422, `Please enter a name of ${counted(maxName, "character")} at most.`);
}

/** `open` while the code can be typed; `link only` while its mailed link alone works. */
export type CodeState = "open" | "link only" | "used up" | "expired" | "replaced" | "done";

/** "12 minutes", "3 hours". */
export function waitText(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / minuteMs));
  return minutes < 60 ? counted(minutes, "minute") : counted(Math.ceil(minutes / 60), "hour");
}
