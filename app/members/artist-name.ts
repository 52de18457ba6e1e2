import { isLonger, plainName } from "~/platform/plain-text";
import { type Rejection, reject } from "~/platform/rejection";
import { counted } from "~/platform/text";

/** In what people see as characters. */
const maxName = 60;

export function readArtistName(entered: string): string | Rejection {
  const name = plainName(entered);
  if (!name) return reject(422, "Enter your artist's name.");
  return isLonger(name, maxName)
    ? reject(422, `Enter a name of ${counted(maxName, "character")} at most.`)
    : name;
}
