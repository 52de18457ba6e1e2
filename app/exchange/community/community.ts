import { counted } from "~/platform/text";
import type { SourceName } from "~/sources/song";

export interface CommunityFigures {
  songsRatedThisWeek: number;
  promisesKept: number;
  /** Half, and nine of ten, of those promises were kept within these times; 0 without any. */
  halfWithinMs: number;
  mostWithinMs: number;
  likedShare: number | null;
}

const minPromises = 20;
const minRatings = 100;
/** If p90 exceeds the median by this factor, say that some wait much longer. */
const longTailFactor = 5;
const hourMs = 60 * 60 * 1000;

export function likedShare(ratings: number, liked: number): number | null {
  return ratings < minRatings ? null : liked / ratings;
}

function knownWait(figures: CommunityFigures | null): string | null {
  if (!figures || figures.promisesKept < minPromises) return null;
  const [half, most] = [duration(figures.halfWithinMs), duration(figures.mostWithinMs)];
  return half === most
    ? `Lately nine of ten songs had all five ratings within ${most}.`
    : `Lately half of the songs had all five ratings within ${half}, and nine of ten within ${most}.`;
}

/** The usual wait in few words, without figures where some songs wait much longer. */
export function shortWait(figures: CommunityFigures | null): string | null {
  const known = knownWait(figures);
  if (!figures || !known || figures.mostWithinMs <= longTailFactor * figures.halfWithinMs)
    return known;
  return `Most songs have all five ratings within ${duration(figures.halfWithinMs)}. Some wait much longer.`;
}

export interface Figure {
  /** "136" or "21 days". */
  amount: string;
  /** What it is of, as a sentence goes on. */
  words: string;
  isWait?: boolean;
}

/** The fewest songs rated for their number to be told; fewer would put people off. */
const minSongsRated = 20;

/** What a visitor sees of what goes on: only what there is enough of. */
export function liveFigures(figures: CommunityFigures | null): Figure[] {
  if (!figures) return [];
  const { songsRatedThisWeek, promisesKept, halfWithinMs, mostWithinMs } = figures;
  const rated = { amount: String(songsRatedThisWeek), words: "songs were rated here this week." };
  const shown = songsRatedThisWeek < minSongsRated ? [] : [rated];
  if (promisesKept < minPromises) return shown;
  const isLong = mostWithinMs > longTailFactor * halfWithinMs;
  return [
    ...shown,
    {
      amount: String(promisesKept),
      words: "songs got their fifth rating within the last 30 days.",
    },
    {
      amount: duration(isLong ? halfWithinMs : mostWithinMs),
      isWait: true,
      words: isLong
        ? "is how long half of them waited for all five. Some wait much longer."
        : "is the time within which nine of ten of them had all five.",
    },
  ];
}

/**
 * When a song that was submitted then usually has all five ratings: nine of ten do. Null where that is not known, where
 * some songs wait much longer, and once it is over.
 */
export function usuallyBy(
  figures: CommunityFigures | null,
  submittedAt: number,
  now: number,
): number | null {
  if (!figures || figures.promisesKept < minPromises) return null;
  if (figures.mostWithinMs > longTailFactor * figures.halfWithinMs) return null;
  const by = submittedAt + roundedUp(figures.mostWithinMs);
  return by > now ? by : null;
}

export const numbersDays = 30;

/** What has happened in the last thirty days, and who was here in the last week. */
export interface Numbers {
  community: CommunityFigures | null;
  countedAt: number | null;
  /** Songs promised five ratings. */
  made: number;
  given: number;
  /** Ratings promised and not given yet. Null before they were first counted. */
  owed: number | null;
  oldestOpenAt: number | null;
  members: number;
  back: number;
  /** That have opened. */
  rounds: number;
}

export interface CountedNumber {
  topic: string;
  /** "171 ratings"; null for what is too little to tell. */
  amount: string | null;
  /** How it is counted, and what belongs to it. */
  how: string;
  /** As many strokes are drawn. */
  strokes: number;
}

/** Below it a number says more about single people than about the place. */
const fewestCounted = 20;

/** Logins that are looked at (`membersOfTheWeek`). */
const mostMembers = 100;

/** @param day tells a time as its day. */
export function countedNumbers(numbers: Numbers, day: (at: number) => string): CountedNumber[] {
  const { community, made, given, owed, oldestOpenAt, members, back, rounds } = numbers;
  const { promisesKept: kept = 0, halfWithinMs = 0, mostWithinMs = 0 } = community ?? {};
  const tell = (topic: string, count: number, noun: string, how: string): CountedNumber => {
    const isEnough = count >= fewestCounted;
    return {
      topic,
      how,
      amount: isEnough ? counted(count, noun) : null,
      strokes: isEnough ? count : 0,
    };
  };
  const waits = kept >= fewestCounted;
  const oldest =
    oldestOpenAt === null ? "" : ` The oldest promise waits since ${day(oldestOpenAt)}.`;
  return [
    tell(
      "Promised",
      made,
      "song",
      "Songs submitted in the last 30 days. Each is promised five ratings.",
    ),
    tell(
      "Kept",
      kept,
      "song",
      "Songs that got their fifth rating in the last 30 days, whenever they were submitted.",
    ),
    {
      topic: "Waited",
      amount: waits ? duration(halfWithinMs) : null,
      how: waits
        ? `Half of these had all five within that, nine of ten within ${duration(mostWithinMs)}. What still waits is not in it.`
        : "How long these waited for all five.",
      strokes: 0,
    },
    tell(
      "Given",
      given,
      "rating",
      "In the last 30 days, each by somebody who had heard the song. The server knows.",
    ),
    tell(
      "Still owed",
      owed ?? 0,
      "rating",
      `Promised and not given yet, as the day began.${oldest}`,
    ),
    tell(
      "Among friends",
      rounds,
      "round",
      "Rounds that opened in the last 30 days. Their ratings are in none of the other numbers.",
    ),
    tell(
      "Here last week",
      members,
      members < mostMembers ? "member" : "or more member",
      `By logins that have not ended.${members < fewestCounted ? "" : ` ${back} had come before.`}`,
    ),
  ];
}

/** The usual wait beside a heading that says so, and whether one of `waitedMs` is longer. */
export function usualWait(figures: CommunityFigures | null, waitedMs = 0): string {
  const known = knownWait(figures);
  if (!figures || !known) return "Too few songs lately to say.";
  return waitedMs > figures.mostWithinMs ? `${known} This one has waited longer.` : known;
}

const songsOf: Record<SourceName, string> = { spotify: "songs", files: "own recordings" };

/** The usual wait in a sentence that stands alone. */
export function toldWait(figures: CommunityFigures | null, source: SourceName = "spotify"): string {
  return shortWait(figures) ?? `Too few ${songsOf[source]} lately to say how long that takes.`;
}

/** To hours up to two days, and to days beyond. */
function roundedUp(ms: number): number {
  const unit = Math.ceil(ms / hourMs) <= 48 ? hourMs : 24 * hourMs;
  return Math.max(1, Math.ceil(ms / unit)) * unit;
}

function duration(ms: number): string {
  const hours = roundedUp(ms) / hourMs;
  return hours <= 48 ? counted(hours, "hour") : counted(hours / 24, "day");
}
