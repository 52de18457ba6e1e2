/** Apart from what browsers load: older ones have no Intl.Segmenter. */
import { canBeSeen, plainName } from "~/platform/plain-text";
import { type Rejection, reject } from "~/platform/rejection";
import { counted } from "~/platform/text";

/** In what people see as characters. */
const maxName = 60;
/** In code units, of which an emoji has several. */
const maxEntered = 4 * maxName;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

export function readArtistName(entered: string): string | Rejection {
  const isLong = entered.length > maxEntered;
  const name = isLong ? "" : plainName(entered.normalize());
  if (!isLong && !canBeSeen(name)) return reject(422, "Please enter your artist's name.");
  return !isLong && Array.from(graphemes.segment(name)).length <= maxName
    ? name
    : reject(422, `Please enter a name of ${counted(maxName, "character")} at most.`);
}
