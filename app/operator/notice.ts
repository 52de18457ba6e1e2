import { readMailAddress } from "~/members/mail-address";
import { isLonger, plainName, plainText } from "~/platform/plain-text";
import { isRejection } from "~/platform/rejection";

export const noticeDecisions = ["dismiss_notice", "uphold_notice"] as const;
export type NoticeDecision = (typeof noticeDecisions)[number];

/** In characters. */
const most = { location: 300, words: 2000, name: 100 };

export interface NewNotice {
  location: string;
  words: string;
  /** May be empty. */
  name: string;
  address: string;
}

export type NoticeErrors = Partial<Record<keyof NewNotice | "faith", string>>;

/** The notice that was entered, or by field what is wrong with it (rule 49, notices). */
export function readNotice(
  fields: Map<string, string>,
): { notice: NewNotice } | { errors: NoticeErrors } {
  const entered = (field: string) => fields.get(field) ?? "";
  const location = plainName(entered("location"));
  const words = plainText(entered("words"));
  const name = plainName(entered("name"));
  const address = readMailAddress(entered("address"));
  const errors: NoticeErrors = {
    ...tooLong({ location, words, name }),
    ...(location === "" ? { location: "Say what this is about." } : {}),
    ...(words === "" ? { words: "Say what is wrong with it." } : {}),
    ...(isRejection(address) ? { address: address.error } : {}),
    ...(entered("faith") === "on" ? {} : { faith: "Tick this to send it." }),
  };
  if (isRejection(address) || Object.keys(errors).length > 0) return { errors };
  return { notice: { location, words, name, address } };
}

function tooLong(texts: Record<keyof typeof most, string>): NoticeErrors {
  const fields = ["location", "words", "name"] as const;
  const long = fields.filter((field) => isLonger(texts[field], most[field]));
  return Object.fromEntries(long.map((field) => [field, `Use at most ${most[field]} characters.`]));
}

/** By what a song of ours can be found: its id, its shared page, its track at Spotify, or title and artist. */
export function namedIn(location: string) {
  return {
    id: /\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/i.exec(location)?.[0].toLowerCase() ?? "",
    token: /\/r\/([\w-]+)/.exec(location)?.[1] ?? "",
    trackId: /track[/:](\w{22})/.exec(location)?.[1] ?? "",
    names: location.replaceAll(/["“”„«»]/g, "").split(/\s+by\s+|\s+[-–—]\s+|\s*,\s*/i),
  };
}

/** The path of the page here that it names; null if it names none that strangers can see. */
export function pageIn(location: string): string | null {
  return /\/(?:r|rounds)\/[\w-]+/.exec(location)?.[0] ?? null;
}
