import { aspectCount, mostReasons } from "~/db/rules";
import { isSettled, type Look } from "~/db/settled";

/**
 * The aspects that a rating's reasons name (rule 20). A reason is stored by its place here, so the order
 * stays; another aspect needs a migration.
 */
export const aspects = [
  "Vocals",
  "Melody",
  "Lyrics",
  "Groove",
  "Arrangement",
  "Sound",
] as const satisfies { length: typeof aspectCount };

export type Aspect = (typeof aspects)[number];

/** Reasons that one rating may give at most. */
export const maxReasons = mostReasons;

/** Time after a rating in which its reasons can be given, in milliseconds. */
export const reasonsWindowMs = 15 * 60_000;

/** Ratings that must name an aspect before its count is shown, and by which counts move on at a time. */
export const fewestTold = 3;

/**
 * The ratings that an owner's counts are made of (rules 20 and 21): whole steps of three, in the order in
 * which they came, and only ratings that can no longer change. So an owner who looks after every rating
 * learns no more than three people's reasons together, and a moving count shows nobody's click.
 * @param options `carries` chooses the ratings that a count is about; `openMs` is the time after a rating in
 *   which they can change.
 * @returns none where the owner does not see all ratings: steps of the newest would move with each of them.
 */
export function wholeSteps<Rating extends { at: number }>(
  { seen, received, now }: Look<Rating>,
  { carries, openMs }: { carries: (rating: Rating) => boolean; openMs: number },
): Rating[] {
  if (seen.length < received) return [];
  const settled = seen.filter((rating) => carries(rating) && isSettled(rating.at, now, openMs));
  return settled.slice(0, settled.length - (settled.length % fewestTold));
}

/** The reasons of one rating. */
export interface Reasons {
  /** Aspects that the listener liked. */
  liked: Aspect[];
  /** Aspects that could be better. */
  improve: Aspect[];
}

/**
 * Reasons as one number, a bit for each: the liked aspects in the lower bits, those that could be better in
 * the upper bits; 0 for none.
 * @param given names of aspects, in either case; a name that is repeated counts once.
 * @returns null if there are more than three, one that is no aspect, or one on both sides.
 */
export function reasonBits({ liked, improve }: Record<keyof Reasons, string[]>): number | null {
  const sides = [bitsOf(liked), bitsOf(improve)] as const;
  const [likedBits, improveBits] = sides;
  if (likedBits === null || improveBits === null || likedBits & improveBits) return null;
  const reasons = likedBits | (improveBits << aspectCount);
  const { length } = aspects.filter((_aspect, place) => hasBit(likedBits | improveBits, place));
  return length <= maxReasons ? reasons : null;
}

/** The reasons that a number stands for. */
export function reasonsOf(bits: number): Reasons {
  return {
    liked: aspects.filter((_aspect, place) => hasBit(bits, place)),
    improve: aspects.filter((_aspect, place) => hasBit(bits, place + aspectCount)),
  };
}

function bitsOf(names: string[]): number | null {
  const places = names.map((name) =>
    aspects.findIndex((aspect) => aspect.toLowerCase() === name.toLowerCase()),
  );
  return places.includes(-1) ? null : places.reduce((bits, place) => bits | (1 << place), 0);
}

function hasBit(bits: number, place: number): boolean {
  return ((bits >> place) & 1) === 1;
}

/** Number of ratings that name an aspect; null where fewer than three do. */
export interface AspectCount extends Record<keyof Reasons, number | null> {
  aspect: Aspect;
}

/** The counts of the reasons of a song's ratings. */
export interface ReasonCounts {
  /** Number of ratings counted, all of which carry reasons. */
  ratings: number;
  /** Aspects that three ratings or more like, or want better. */
  aspects: AspectCount[];
}

/**
 * Counts the reasons of a song's ratings (rule 20). No count is below three.
 * @param look with the reasons of each rating as stored; null for one without.
 * @returns null until three ratings carry reasons.
 */
export function countReasons(
  look: Look<{ at: number; reasons: number | null }>,
): ReasonCounts | null {
  const counted = wholeSteps(look, {
    carries: ({ reasons }) => reasons !== null,
    openMs: reasonsWindowMs,
  });
  if (counted.length === 0) return null;
  const count = (place: number) => {
    const { length } = counted.filter(({ reasons }) => hasBit(reasons ?? 0, place));
    return length >= fewestTold ? length : null;
  };
  return {
    ratings: counted.length,
    aspects: aspects
      .map((aspect, place) => ({
        aspect,
        liked: count(place),
        improve: count(place + aspectCount),
      }))
      .filter(({ liked, improve }) => liked !== null || improve !== null),
  };
}

/** The counts in a line, e.g. "Liked: Groove (4), Melody (3). Could be better: Sound (3)."; null if none. */
export function reasonsSentence(counts: ReasonCounts | null): string | null {
  const sentence = (title: string, side: keyof Reasons) => {
    const counted = (counts?.aspects ?? [])
      .flatMap(({ aspect, ...times }) => {
        const count = times[side];
        return count === null ? [] : [{ aspect, count }];
      })
      .sort((a, b) => b.count - a.count)
      .map(({ aspect, count }) => `${aspect} (${count})`);
    return counted.length > 0 ? [`${title}: ${counted.join(", ")}.`] : [];
  };
  const sentences = [...sentence("Liked", "liked"), ...sentence("Could be better", "improve")];
  return sentences.length > 0 ? sentences.join(" ") : null;
}

/** Checks whether reasons of a rating can be given, changed and taken back; times in epoch milliseconds. */
export function areReasonsOpen(ratedAt: number, now: number): boolean {
  return now - ratedAt < reasonsWindowMs;
}
