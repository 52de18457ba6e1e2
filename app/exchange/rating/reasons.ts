import { aspectCount, mostReasons } from "~/db/rules";
import { isSettled, type SeenRatings } from "~/db/settled";

/** A reason is stored by its index here (rule 20, reasons), so the order stays; another needs a migration. */
export const aspects = [
  "Vocals",
  "Melody",
  "Lyrics",
  "Groove",
  "Arrangement",
  "Sound",
] as const satisfies { length: typeof aspectCount };

export type Aspect = (typeof aspects)[number];

export const maxReasons = mostReasons;

export const reasonsWindowMs = 15 * 60_000;

/** Anonymity threshold: shown from 3 on, in steps of 3. */
export const fewestTold = 3;

/**
 * The ratings that an owner's counts are made of (rules 20 and 21): whole steps of three, in the order in
 * which they came, of those that can no longer change. None where the owner does not see all ratings,
 * because steps of the newest would move with each of them.
 */
export function wholeSteps<Rating extends { at: number }>(
  { seen, received, now }: SeenRatings<Rating>,
  { carries, openMs }: { carries: (rating: Rating) => boolean; openMs: number },
): Rating[] {
  if (seen.length < received) return [];
  const settled = seen.filter((rating) => carries(rating) && isSettled(rating.at, now, openMs));
  return settled.slice(0, settled.length - (settled.length % fewestTold));
}

export interface Reasons {
  liked: Aspect[];
  improve: Aspect[];
}

/** A bit for each liked aspect, then one for each that could be better (rule 20, reasons); null if not valid. */
export function reasonBits({ liked, improve }: Record<keyof Reasons, string[]>): number | null {
  const sides = [bitsOf(liked), bitsOf(improve)] as const;
  const [likedBits, improveBits] = sides;
  if (likedBits === null || improveBits === null || likedBits & improveBits) return null;
  const reasons = likedBits | (improveBits << aspectCount);
  const { length } = aspects.filter((_aspect, place) => hasBit(likedBits | improveBits, place));
  return length <= maxReasons ? reasons : null;
}

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

export interface AspectCount extends Record<keyof Reasons, number | null> {
  aspect: Aspect;
}

export interface ReasonCounts {
  ratings: number;
  aspects: AspectCount[];
}

/** Counts the reasons of a song's ratings (rule 20, reasons); null until three ratings carry reasons. */
export function countReasons(
  look: SeenRatings<{ at: number; reasons: number | null }>,
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

/** E.g. "Liked: Groove (4), Melody (3). Could be better: Sound (3)."; null if there are none. */
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

export function areReasonsOpen(ratedAt: number, now: number): boolean {
  return now - ratedAt < reasonsWindowMs;
}
