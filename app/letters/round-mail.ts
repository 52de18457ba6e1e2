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

/** That a round begins, that it ends and somebody owes it songs, or that it is open (rule 47, rounds). */
export const roundMail =
  (what: "begins" | "ends" | "open") =>
  (round: MailRound, { appOrigin }: MailFrame): MailContent => {
    const its = round.name ? `: ${quoted(round.name)}` : "";
    const songs = `${inWords(round.left)} song${round.left === 1 ? "" : "s"}`;
    const wait = `${songs} wait${round.left === 1 ? "s" : ""} for you`;
    const until = dayAndHour(round.endsAt ?? round.at, round.at);
    const { said, lead } = {
      begins: { said: "begins", lead: `${wait}, until ${until}.` },
      ends: { said: "ends soon", lead: `${wait}. It ends on ${until}.` },
      open: {
        said: "is open",
        lead: round.hasListened
          ? "The marks are in. You open yours."
          : `The marks are in. Yours open once you have heard ${songs.toLowerCase()} more.`,
      },
    }[what];
    const sealed = `Nobody sees a mark before all have listened. Whoever listens gets ${inText(ratingsPerSubmission)}.`;
    const blocks =
      what === "open"
        ? [button("Open the round", appOrigin + roundPath(round.token))]
        : [button("Hear the next song", `${appOrigin}/`), quietParagraph(sealed)];
    return {
      subject: `The round ${said}${its}`,
      preview: lead,
      title: `The round ${said}.`,
      blocks: [...(round.name ? [paragraph({ own: round.name })] : []), lead, ...blocks],
      why: "You are receiving this e-mail because you took a seat in this round.",
    };
  };
