import { isLonger, plainName } from "~/platform/plain-text";
import { type Rejection, reject } from "~/platform/rejection";
import { isMade, type Made, refuseGenerated } from "~/sources/made";

/** In what people see as characters. */
const maxNameLength = 200;

export const maxDrafts = 3;

export type FieldFault = Rejection & { field: "title" | "artist" | "rights" | "made" };

export function refuseNames(title: string, artist: string): FieldFault | null {
  if (!plainName(title)) return { ...noTitle, field: "title" };
  const [isTitle, isArtist] = [title, artist].map((name) =>
    isLonger(plainName(name), maxNameLength),
  );
  return isTitle || isArtist ? { ...tooLong, field: isTitle ? "title" : "artist" } : null;
}

/** How a recording was made that others may hear, or why it is not taken (rules 42 and 48). Null where neither is said. */
export function readMade(
  rights: string,
  said: string,
  takesGenerated: boolean,
): Made | null | FieldFault {
  if (!rights && !said) return null;
  if (!rights) return { ...noRights, field: "rights" };
  if (!isMade(said)) return { ...noMade, field: "made" };
  const refused = refuseGenerated(said, takesGenerated);
  return refused ? { ...refused, field: "made" } : said;
}

/** As much of a name as fits. */
export function fittingName(name: string): string {
  const points = Array.from(name);
  while (isLonger(points.join(""), maxNameLength)) points.pop();
  return points.join("");
}

/** A form without scripts cannot tell a file that was not chosen from one without bytes. */
export const noFile = reject(
  422,
  "Choose the file of your song. If you have, it may still be in iCloud or Google Drive: open it once, so that it is on this device.",
);
export const emptyFile = reject(
  422,
  "This file is empty. It may still be in iCloud or Google Drive: open it once, so that it is on this device.",
);

export const tooManyDrafts = reject(
  409,
  `You have uploaded ${maxDrafts} songs that you have not submitted. Submit or delete one of them first.`,
);
const noTitle = reject(422, "Give your song a title.");
export const tooLong = reject(
  422,
  `The title or the name of the artist is too long. Use ${maxNameLength} characters at most.`,
);
const noRights = reject(
  422,
  "Tick that you may let others hear this song. Without that it cannot be taken.",
);
const noMade = reject(422, "Say how this recording was made.");
