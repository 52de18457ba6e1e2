import type { MailBody } from "~/outbox/letter";
import { heading, paragraph, quietParagraph, song } from "./blocks";
import type { MailFrame, MailSong } from "./mail";
import { renderMail } from "./render";
import { unlinkable, unlinkableSong } from "./unlinkable";
import { quoted } from "./wording";

/** A song that somebody has reported. */
export interface ReportedSong extends MailSong {
  /** Its id here. */
  songId: string;
  /** The reporter's own words; may be empty. */
  words: string;
  /** The song is an operator's own, who may not read the words. */
  isOperators: boolean;
}

/**
 * Tells the operator that a song was reported (rule 23). Strangers choose the words, the title and the song:
 * those that a mail client might turn into a link are left out.
 */
export function reportMail(
  { words, songId, isOperators, ...reported }: ReportedSong,
  frame: MailFrame,
): MailBody {
  const plain = unlinkable(words);
  const added = plain ? ["“", { own: plain }, "”"] : [words ? hidden : "Nothing was added."];
  const said = isOperators ? [operators] : added;
  return renderMail(
    {
      subject: `A song was reported: ${quoted(unlinkable(reported.title))}`,
      preview: "Somebody who was offered it says that it is unlawful, hateful, or not music.",
      name: "",
      namesSongs: true,
      blocks: [
        heading("A song was reported"),
        song(unlinkableSong(reported)),
        paragraph(
          "Somebody who was offered it says that it is unlawful, hateful, or not music. In their words:",
        ),
        paragraph(...said),
        quietParagraph(
          `Its id is ${songId}. You get one mail for each song: all its reports, and what you can do, are on the operator's page (/operator).`,
        ),
      ],
      why: "You are receiving this e-mail because this is the address of the people who run Fivefold.",
    },
    frame,
  );
}

const operators = "The song is an operator's, so they are only on the page of the other operators.";
const hidden = "They may contain a link, so they are only on the operator's page.";
