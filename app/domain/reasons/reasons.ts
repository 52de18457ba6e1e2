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

/** So many ratings must carry reasons before any are told, and so many must name an aspect. */
export const fewestTold = 3;

/** The reasons of one rating. */
export interface Reasons {
  /** What its listener liked. */
  liked: Aspect[];
  /** What could be better. */
  improve: Aspect[];
}

/**
 * Reasons as one number, a bit for each: what was liked in the lower ones, what could be better in the
 * upper ones.
 * @param given names of aspects, in either case; a name that is repeated counts once.
 * @returns null if there are none, more than three, one that is no aspect, or one on both sides.
 */
export function reasonBits({ liked, improve }: Record<keyof Reasons, string[]>): number | null {
  const sides = [bitsOf(liked), bitsOf(improve)] as const;
  const [likedBits, improveBits] = sides;
  if (likedBits === null || improveBits === null || likedBits & improveBits) return null;
  const reasons = likedBits | (improveBits << aspectCount);
  const { length } = aspects.filter((_aspect, place) => named(likedBits | improveBits, place));
  return length >= 1 && length <= maxReasons ? reasons : null;
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
  /** How many ratings carry reasons. */
  ratings: number;
  /** Aspects that three ratings or more like, or want better. */
  aspects: AspectCount[];
}

/**
 * Counts reasons. No count is below three, so that none tells of a single rating.
 * @param given the reasons of the ratings that the owner may see, as stored; null for one without.
 * @returns null while fewer than three ratings carry reasons.
 */
export function countReasons(given: (number | null)[]): ReasonCounts | null {
  const carried = given.filter((bits) => bits !== null);
  if (carried.length < fewestTold) return null;
  const count = (place: number) => {
    const { length } = carried.filter((bits) => named(bits, place));
    return length >= fewestTold ? length : null;
  };
  return {
    ratings: carried.length,
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

/**
 * Whether the reasons of a rating can be given, or have been; null if neither.
 * @param rating its time, in epoch milliseconds, and its reasons.
 */
export function reasonsState(
  { createdAt, reasons }: { createdAt: number; reasons: number | null },
  now: number,
): "open" | "given" | null {
  if (reasons !== null) return "given";
  return now - createdAt < reasonsWindowMs ? "open" : null;
}
