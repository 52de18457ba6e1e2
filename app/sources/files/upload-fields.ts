import { isLonger, plainName } from "~/platform/plain-text";
import { type Rejection, reject } from "~/platform/rejection";
import { isMade, type Made, refuseGenerated } from "~/sources/made";

/** In what people see as characters. */
const maxNameLength = 200;

export const maxDrafts = 3;

/** The fields of an upload beside its files. Pages check them before a file travels, and the server after. */
export interface UploadFields {
  title: string;
  artist: string;
  hasRights: boolean;
}

export type FieldFault = Rejection & { field: "title" | "artist" | "rights" | "made" };

export function refuseFields({ title, artist, hasRights }: UploadFields): FieldFault | null {
  if (!plainName(title)) return { ...noTitle, field: "title" };
  const [isTitle, isArtist] = [title, artist].map((name) =>
    isLonger(plainName(name), maxNameLength),
  );
  if (isTitle || isArtist) return { ...tooLong, field: isTitle ? "title" : "artist" };
  return hasRights ? null : { ...noRights, field: "rights" };
}

/** How a recording was made, or why it is not taken (rule 48, made). */
export function readMade(said: string, takesGenerated: boolean): Made | FieldFault {
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
