import { ratingsPerSubmission } from "~/db/rules";
import { counted, inWords, ordinal } from "~/platform/text";
import type { Song } from "~/sources/song";
import type { Eligibility } from "./eligibility";

export interface SubmittedBefore {
  entitled: number;
  owed: number;
}

/** The song has the release that it was submitted under last. */
export interface SubmittedSong extends SubmittedBefore, Pick<Song, "trackId" | "title" | "album"> {
  /** Out of the rotation; a submission brings it back. */
  resting: boolean;
}

export interface SubmissionTerms {
  cost: string;
  gain: string;
  pending: string | null;
}

/**
 * The terms of a submission (rule 24, submission). `compares`: its owner can compare it with earlier ones. `isMix`: it is of
 * another file than they were; `isSameFile`: it is of the same one, which was uploaded once more.
 */
export function submissionTerms(
  { cost, freeLost = false }: Pick<Eligibility, "cost"> & { freeLost?: boolean },
  {
    credits,
    before,
    track,
    compares,
    isMix = false,
    isSameFile = false,
  }: {
    credits: number;
    before: SubmittedSong | null;
    track: Pick<Song, "trackId">;
    compares: boolean;
    isMix?: boolean;
    isSameFile?: boolean;
  },
): SubmissionTerms {
  return {
    cost: (freeLost ? freeLostText : "") + costText(cost, credits),
    gain:
      before && before.entitled > 0
        ? `${isSameFile ? sameFileText(before) : releaseText(before, track)}${againText(before, { compares, isMix })}`
        : `It gets ${ratingsPerSubmission} ratings from other musicians.`,
    pending: before && before.owed > 0 ? pendingText(before) : null,
  };
}

/** How many could still hear a song (rule 27, songs that can be rated). */
export function listenersText({ left, isReachedByAll }: Listeners): string {
  const have = left === 1 ? "listener has" : "listeners have";
  const said =
    left === 0
      ? "All listeners here have heard this song"
      : `${inWords(left)} ${have} not heard this song yet`;
  if (isReachedByAll) return `${said}; a new mix needs five.`;
  return left < ratingsPerSubmission ? `${said}.` : `${said}. Five of them would hear a new mix.`;
}

export interface Listeners {
  left: number;
  isReachedByAll: boolean;
}

const freeLostText = "One song a day is free, and you have added today's. ";

/** Null for a song that was only in rounds. */
export function submittedText({ entitled, owed }: SubmittedBefore): string | null {
  if (entitled === 0) return null;
  const received = entitled - owed;
  const count = owed > 0 ? `${received} of its` : "all of its";
  return `Submitted before: ${count} ${entitled} ratings ${received === 1 ? "is" : "are"} in.`;
}

function costText(cost: number, credits: number): string {
  if (cost === 0) return "It costs nothing today.";
  if (cost < credits) return `This uses ${cost} of your ${credits} ratings.`;
  return cost === 1 ? "This uses your rating." : `This uses your ${cost} ratings.`;
}

function releaseText({ trackId, title, album }: SubmittedSong, chosen: Pick<Song, "trackId">) {
  return trackId === chosen.trackId
    ? ""
    : `You have submitted this recording before, under another release: “${title}” on “${album}”. It is the same song here. Its ratings stay with it, and it goes on under the release that you submit now. `;
}

function sameFileText({ title }: SubmittedSong): string {
  return `You have uploaded this file before: it is your song “${title}”, whose ratings stay with it. `;
}

function againText(
  { entitled, title }: SubmittedSong,
  { compares, isMix }: { compares: boolean; isMix: boolean },
): string {
  const times = entitled / ratingsPerSubmission + 1;
  const compared =
    times === 2
      ? `the first ${ratingsPerSubmission}, so that you can compare the two`
      : "those before, so that you can compare them";
  const apart = compares ? `, kept apart from ${compared}` : "";
  const what = isMix
    ? `This is a new mix of “${title}”`
    : `This is its ${ordinal(times)} submission`;
  const ears = isMix ? ` from people who have not rated it before` : "";
  return `${what}: it gets ${ratingsPerSubmission} more ratings${ears}${apart}.`;
}

function pendingText({ entitled, owed, resting }: SubmittedSong): string {
  const left =
    owed === entitled
      ? `All of its ${counted(entitled, "rating")}`
      : `${owed} of its ${counted(entitled, "rating")}`;
  const are = owed === 1 ? "is" : "are";
  const back = resting ? " and brings it back into the rotation" : "";
  return `${left} ${are} still to come; submitting it again promises ${ratingsPerSubmission} more${back}.`;
}
