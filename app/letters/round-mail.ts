import { ratingsPerSubmission } from "~/db/rules";
import { inText, roundPath } from "~/exchange/round/round";
import { dayAndHour } from "~/platform/dates";
import { inWords } from "~/platform/text";
import { button, paragraph, quietParagraph } from "./blocks";
import type { MailContent, MailFrame } from "./mail";
import { quoted } from "./wording";

export interface MailRound {
  /** Empty where the mail must not name it. */
  name: string;
  token: string;
  endsAt: number | null;
  at: number;
  /** Its reader has songs to hear, and it is not open. */
  isTheirs: boolean;
  hasListened: boolean;
  left: number;
}

type RoundMailKind = "round_begins" | "round_ends" | "round_open";

/** That a round begins, that it ends and somebody owes it songs, or that it is open (rule 47, rounds). */
export function roundMail(kind: RoundMailKind, round: MailRound, frame: MailFrame): MailContent {
  const its = round.name ? `: ${quoted(round.name)}` : "";
  const songs = `${inWords(round.left)} song${round.left === 1 ? "" : "s"}`;
  const wait = `${songs} wait${round.left === 1 ? "s" : ""} for you`;
  const until = dayAndHour(round.endsAt ?? round.at, round.at);
  const hear = button("Hear the next song", `${frame.appOrigin}/`);
  const open = button("Open the round", frame.appOrigin + roundPath(round.token));
  const sealed = quietParagraph(
    `Nobody sees a mark before all have listened. Whoever listens gets ${inText(ratingsPerSubmission)}.`,
  );
  const { said, lead, blocks } = {
    round_begins: {
      said: "begins",
      lead: `${wait}, until ${until}.`,
      blocks: [hear, sealed],
    },
    round_ends: {
      said: "ends soon",
      lead: `${wait}. It ends on ${until}.`,
      blocks: [hear, sealed],
    },
    round_open: {
      said: "is open",
      lead: round.hasListened
        ? "The marks are in. You open yours."
        : `The marks are in. Yours open once you have heard ${songs.toLowerCase()} more.`,
      blocks: [open],
    },
  }[kind];
  return {
    subject: `The round ${said}${its}`,
    preview: lead,
    title: `The round ${said}.`,
    blocks: [...(round.name ? [paragraph({ own: round.name })] : []), lead, ...blocks],
    why: "You are receiving this e-mail because you took a seat in this round.",
  };
}
