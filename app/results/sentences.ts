/** Sentences about a song's ratings (rule 29, results): never a mean, never a decimal. */

import { ratingsPerSubmission } from "~/db/rules";
import { inWords } from "~/platform/text";
import type { soundedAgainst } from "~/sources/files/loudness";
import { type Change, type Counts, type Range, ratingsForRange } from "./statistics";

/** What is said of a result in the largest type, and in smaller type below it. */
export interface Verdict {
  said: string;
  note: string | null;
}

/** Never a label, and no doubt about ratings that are in. `received` counts hidden ones too, but not sealed ones. */
export function verdictOf(seen: Counts, { received, owed, sealed = 0 }: Received): Verdict {
  const shown = seen.liked + seen.others;
  if (sealed > 0) {
    const all = received + sealed;
    const said =
      shown < ratingsForRange ? partIn(all, owed) : `${seen.liked} of ${shown} liked it.`;
    return { said, note: opensLater(sealed, received) };
  }
  if (received === 0) return { said: "Nobody has rated it yet.", note: null };
  if (shown >= ratingsForRange) return { said: `${seen.liked} of ${shown} liked it.`, note: null };
  const said = owed === 0 ? allIn(received) : partIn(received, owed);
  if (shown < received) return { said, note: someShown(shown) };
  return { said, note: "Too early to tell." };
}

export interface Received {
  received: number;
  owed: number;
  sealed?: number;
}

/** What is said of ratings that are sealed, beside others or alone. */
function opensLater(sealed: number, others: number): string {
  const which = others > 0 ? `${inWords(sealed)} more` : sealed === 1 ? "It" : "They";
  return `${which} ${sealed === 1 ? "opens" : "open"} once all five are in.`;
}

/** Why, where there is room to say it. */
export const whySealed =
  "So few musicians are here at the moment that a single mark would tell whose it is. So all five open together.";

/** The verdict in one line; of ratings that are owed, those that complete five. */
export function verdict(seen: Counts, received: number): string {
  const owed = (ratingsPerSubmission - (received % ratingsPerSubmission)) % ratingsPerSubmission;
  return inOneLine(verdictOf(seen, { received, owed }));
}

/** Of a song that was never submitted. */
export const inRoundsAlone: Verdict = { said: "Only in rounds.", note: null };

/** Of all that a round gave: no more of it comes. */
export function verdictOfRound(seen: Counts): string {
  if (seen.liked + seen.others === 1) return "One is in. Too early to tell.";
  return inOneLine(verdictOf(seen, { received: seen.liked + seen.others, owed: 0 }));
}

export function inOneLine({ said, note }: Verdict): string {
  return note === null ? said : `${said} ${note}`;
}

/** The verdict for a row of a list. */
export function shortVerdict(seen: Counts, { received, owed, sealed = 0 }: Received): string {
  if (received === 0) return "Nobody yet";
  if (owed > 0 && seen.liked + seen.others < ratingsForRange)
    return partIn(received, owed).slice(0, -1);
  return verdictOf(seen, { received: received - sealed, owed, sealed }).said.replace(/\.$/, "");
}

/** How a mail about ratings, and their page, end. Null where nothing waits. */
export function waitingText(songs: number): string | null {
  if (songs === 0) return null;
  if (songs === 1) return "One song by others waits for you.";
  return `${songs > 10 ? "More than ten" : inWords(songs)} songs by others wait for you.`;
}

export function allIn(received: number): string {
  return `All ${inWords(received).toLowerCase()} are in.`;
}

/** In words, so that it never looks like how many liked it. */
function partIn(received: number, owed: number): string {
  const are = received === 1 ? "is" : "are";
  return `${inWords(received)} of ${inWords(received + owed).toLowerCase()} ${are} in.`;
}

export function someShown(shown: number): string {
  return `${inWords(shown)} ${shown === 1 ? "is" : "are"} shown here.`;
}

export function rangeSentence({ low, high }: Range): string {
  return `Play it to a hundred musicians here, and between ${low} and ${high} of them would like it.`;
}

export function againstOthers(compared: "more" | "less" | null): string | null {
  return compared && `It is liked ${compared} than songs here usually are.`;
}

/** `before`: what the ratings are compared with. */
export function changeSentence(change: Change | null, before: "time" | "mix"): string | null {
  if (change === null) return null;
  return change === "unclear"
    ? `Too early to tell whether it is liked more than the ${before} before.`
    : `It is liked ${change} than the ${before} before.`;
}

/** Whether two mixes can be compared fairly, by how the later one sounded; null where they can. */
export function fairnessSentence(sounded: ReturnType<typeof soundedAgainst>): string | null {
  if (sounded === "alike") return null;
  return sounded === "unknown"
    ? "We do not know which of the two mixes sounded louder, so this may be no fair comparison."
    : `This mix sounded ${sounded} than the one before, so this is no fair comparison.`;
}
