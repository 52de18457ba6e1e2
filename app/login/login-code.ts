import { minuteMs } from "~/platform/dates";
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

/**
 * `open` while the code can be typed; `link only` and `used up` while its mailed link alone works; `over` if that was
 * used, too.
 */
export type CodeState = "open" | "link only" | "used up" | "over" | "expired" | "replaced" | "done";

/** "12 minutes", "3 hours". */
export function waitText(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / minuteMs));
  return minutes < 60 ? counted(minutes, "minute") : counted(Math.ceil(minutes / 60), "hour");
}
