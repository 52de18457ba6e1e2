import { toTheMinute } from "~/db/minute";
import { aspectCount, mostReasons } from "~/db/rules";

/**
 * What a rating may give as its reasons (rule 20). A reason is stored by its place here, so
 * the order stays; another aspect needs a migration.
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

/** After a rating, its reasons can be given for so long, in milliseconds. */
export const reasonsWindowMs = 15 * 60_000;

/** So many ratings must name an aspect before it is told; and counts take in so many ratings at a time. */
export const fewestTold = 3;

/** What is written last may be read so much later, from a copy that is behind; in milliseconds. */
const lateMs = 2 * 60_000;

/** Ratings of a song as its owner sees them now. */
export interface Look<Rating extends { at: number }> {
  /** Those that the owner may see, oldest first; `at` in epoch milliseconds. */
  seen: Rating[];
  /** How many there are. */
  received: number;
  /** Epoch milliseconds. */
  now: number;
}

/**
 * The ratings that an owner's counts are made of (rules 20 and 21): whole steps of three, in the order in
 * which they came, each rating once nothing of it can change. So whoever looks after every rating
 * learns what three people say together, and when a count moves tells of nobody's click.
 * @param options `carries` says which ratings a count is about, and `openMs` how long after a rating what
 *   it counts can change.
 * @returns none where the owner does not see all ratings: steps of the newest would move with each of them.
 */
export function wholeSteps<Rating extends { at: number }>(
  { seen, received, now }: Look<Rating>,
  { carries, openMs }: { carries: (rating: Rating) => boolean; openMs: number },
): Rating[] {
  if (seen.length < received) return [];
  // Owners learn no moment closer than a minute (rule 5).
  const isSettled = ({ at }: Rating) => now - toTheMinute(at) >= openMs + lateMs;
  const settled = seen.filter((rating) => carries(rating) && isSettled(rating));
  return settled.slice(0, settled.length - (settled.length % fewestTold));
}

/** The reasons of one rating. */
export interface Reasons {
  /** What its listener liked. */
  liked: Aspect[];
  /** What could be better. */
  improve: Aspect[];
}

/**
 * Reasons as one number, a bit for each: what was liked in the lower ones, what could be better in the
 * upper ones; 0 for none.
 * @param given names of aspects, in either case; a name that is repeated counts once.
 * @returns null if there are more than three, one that is no aspect, or one on both sides.
 */
export function reasonBits({ liked, improve }: Record<keyof Reasons, string[]>): number | null {
  const sides = [bitsOf(liked), bitsOf(improve)] as const;
  const [likedBits, improveBits] = sides;
  if (likedBits === null || improveBits === null || likedBits & improveBits) return null;
  const reasons = likedBits | (improveBits << aspectCount);
  const { length } = aspects.filter((_aspect, place) => named(likedBits | improveBits, place));
  return length <= maxReasons ? reasons : null;
}

/** The reasons that a number stands for. */
export function reasonsOf(bits: number): Reasons {
  return {
    liked: aspects.filter((_aspect, place) => named(bits, place)),
    improve: aspects.filter((_aspect, place) => named(bits, place + aspectCount)),
  };
}

function bitsOf(names: string[]): number | null {
  const places = names.map((name) =>
    aspects.findIndex((aspect) => aspect.toLowerCase() === name.toLowerCase()),
  );
  return places.includes(-1) ? null : places.reduce((bits, place) => bits | (1 << place), 0);
}

function named(bits: number, place: number): boolean {
  return ((bits >> place) & 1) === 1;
}

/** How often an aspect was named; null where fewer than three ratings name it, or none. */
export interface AspectCount extends Record<keyof Reasons, number | null> {
  aspect: Aspect;
}

/** What the reasons of a song's ratings say. */
export interface ReasonCounts {
  /** How many ratings are counted, all of which carry reasons. */
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
  const told = wholeSteps(look, {
    carries: ({ reasons }) => reasons !== null,
    openMs: reasonsWindowMs,
  });
  if (told.length === 0) return null;
  const count = (place: number) => {
    const { length } = told.filter(({ reasons }) => named(reasons ?? 0, place));
    return length >= fewestTold ? length : null;
  };
  return {
    ratings: told.length,
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
  const side = (title: string, which: keyof Reasons) => {
    const named = (counts?.aspects ?? [])
      .flatMap(({ aspect, ...times }) => {
        const count = times[which];
        return count === null ? [] : [{ aspect, count }];
      })
      .sort((a, b) => b.count - a.count)
      .map(({ aspect, count }) => `${aspect} (${count})`);
    return named.length > 0 ? [`${title}: ${named.join(", ")}.`] : [];
  };
  const said = [...side("Liked", "liked"), ...side("Could be better", "improve")];
  return said.length > 0 ? said.join(" ") : null;
}

/** Whether reasons of a rating can be given, changed and taken back; times in epoch milliseconds. */
export function areReasonsOpen(ratedAt: number, now: number): boolean {
  return now - ratedAt < reasonsWindowMs;
}
