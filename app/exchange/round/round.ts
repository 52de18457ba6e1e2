import { ratingsPerSubmission } from "~/db/rules";
import { dayAndHour, dayMs, hourMs } from "~/platform/dates";
import { isLonger, plainName } from "~/platform/plain-text";
import { type Rejection, reject } from "~/platform/rejection";
import { inWords } from "~/platform/text";

/** Rule 47, rounds. */
export const fewestMembers = 6;
/** Of the others' songs, as many are each member's to hear. */
export const mostToHear = 6;
export const mostRoundsAtOnce = 3;
const mostHosted = { free: 1, premium: 3 };
const operatorsHosted = 20;
export const mostOpenedADay = 20;
export const listenDays = [1, 2, 3] as const;
const gatherMs = { shortest: hourMs, longest: 7 * dayMs };
const maxName = 60;

export interface Round {
  name: string;
  seats: number;
  gatherUntil: number;
  begunAt: number | null;
  endsAt: number | null;
  endedAt: number | null;
  openedAt: number | null;
  listenMs: number;
}

export type RoundState = "gathering" | "ended" | "listening" | "open";

export function stateOf({ begunAt, endedAt, openedAt }: Omit<Round, "name">): RoundState {
  if (endedAt !== null) return "ended";
  if (begunAt === null) return "gathering";
  return openedAt === null ? "listening" : "open";
}

/** Its time has come, and nothing has followed from that yet. */
export function isDue(round: Round, now: number): boolean {
  const state = stateOf(round);
  if (state === "gathering") return round.gatherUntil <= now;
  return state === "listening" && (round.endsAt ?? 0) <= now;
}

interface Host {
  tier: "free" | "premium";
  isOperator: boolean;
}

export function seatChoices({ tier, isOperator }: Host): number[] {
  return [6, 8, 12, ...(tier === "premium" ? [24] : []), ...(isOperator ? [50] : [])];
}

export function mostHostedBy({ tier, isOperator }: Host): number {
  return isOperator ? operatorsHosted : mostHosted[tier];
}

export interface Deadline {
  at: number;
  label: string;
}

/** Until when songs may come in: this or the next evening, Friday, and a week on. Two hours are left to fill in the form. */
export function deadlines(now: number): Deadline[] {
  const today = Math.floor(now / dayMs) * dayMs + 20 * hourMs;
  const evening = today - now < 2 * hourMs ? today + dayMs : today;
  const untilFriday = (12 - new Date(evening).getUTCDay()) % 7;
  const friday = evening + (untilFriday || 7) * dayMs;
  const week = today + (today > now ? 6 : 7) * dayMs;
  return [
    { at: evening, label: evening === today ? "Tonight, 20:00 UTC" : "Tomorrow, 20:00 UTC" },
    ...(friday < week ? [{ at: friday, label: "Friday, 20:00 UTC" }] : []),
    { at: week, label: "In a week" },
  ];
}

export function isDeadline(at: number, now: number): boolean {
  return at >= now + gatherMs.shortest && at <= now + gatherMs.longest;
}

/** Refuses an empty name, one of more than sixty characters, and one that mails would make a link of. */
export function readRoundName(entered: string): string | Rejection {
  const name = plainName(entered);
  if (!name) return reject(422, "Give the round a name.");
  if (isLonger(name, maxName)) {
    return reject(422, `Enter a name of ${maxName} characters at most.`);
  }
  const isAddress = /\/\/|www\.|[\p{L}\p{N}][.@][\p{L}\p{N}]/iu.test(name.normalize("NFKC"));
  return isAddress ? reject(422, "Give the round a name without an address in it.") : name;
}

export function roundPath(token: string): string {
  return `/rounds/${token}`;
}

/** "Six of eight", "17 of 24". */
export function ofAll(count: number, all: number): string {
  const isShort = Math.max(count, all) <= 12;
  if (count === 0) return `None of ${isShort ? inText(all) : all}`;
  return isShort ? `${inWords(count)} of ${inWords(all).toLowerCase()}` : `${count} of ${all}`;
}

export function inText(n: number): string {
  return inWords(n).toLowerCase();
}

/** "a day", "two days". */
export function listenText(listenMs: number): string {
  const days = listenMs / dayMs;
  return days === 1 ? "a day" : `${inText(days)} days`;
}

/** What who opens the link is told. */
export function dealText(seats: number): string {
  const heard = Math.min(mostToHear, seats - 1);
  return `${inWords(seats)} musicians, one song each. You hear ${inText(heard)}, and ${inText(ratingsPerSubmission)} hear yours. Nobody sees a mark before all have listened, and nobody ever who gave it.`;
}

/** The carousel's line: "Friday round: 2 of 6 heard", and until when. Once all are heard, it is what there is to say. */
export interface RoundGoal {
  path: string;
  name: string;
  heard: number;
  due: number;
  /** "until Saturday, 20:00 UTC". */
  until: string;
}

/** Of somebody who has heard theirs, while others have not. */
export function doneGoal(
  round: { token: string; name: string; endsAt: number | null; given: number },
  now: number,
): RoundGoal {
  const by = dayAndHour(round.endsAt ?? now, now);
  return {
    ...{ path: roundPath(round.token), name: round.name, heard: round.given, due: round.given },
    until: `You have heard all of yours. It opens when everybody has, ${by} at the latest.`,
  };
}

export function goalOf(
  round: { token: string; name: string; endsAt: number | null; openedAt: number | null },
  { heard, due, now }: { heard: number; due: number; now: number },
): RoundGoal {
  const until =
    heard >= due
      ? "Yours are heard. One more would give a song its five."
      : round.openedAt === null
        ? `until ${dayAndHour(round.endsAt ?? now, now)}`
        : "It is over. Yours opens once you have heard them.";
  return { path: roundPath(round.token), name: round.name, heard, due, until };
}
