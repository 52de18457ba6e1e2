import { toneOf } from "~/covers/tones";
import type { MailBody, Mailer } from "~/outbox/mailer";
import type { Config } from "~/platform/env";
import { heading, paragraph, quietParagraph } from "./blocks";
import type { MailFrame, MailSong, Run } from "./mail";
import { answerDay, type FiledNotice, noticeNumber } from "./notice-mails";
import { renderMail } from "./render";
import { song } from "./song-block";
import { quoted, unlinkable, unlinkableSong } from "./wording";

const whyOperatorMails =
  "You are receiving this e-mail because this is the address of the people who run Fivefold.";

export interface ReportedSong extends MailSong {
  songId: string;
  /** The reporter's own; may be empty. */
  words: string;
  /** The song is an operator's own, who may not read the words. */
  isOperators: boolean;
}

/**
 * Tells the operator that a song was reported (rule 23, reports). Strangers choose the words, the title and the song,
 * so whatever a mail client might turn into a link is left out.
 */
export function reportMail(
  { words, songId, isOperators, ...reported }: ReportedSong,
  frame: MailFrame,
): MailBody {
  return renderMail(
    {
      subject: `A song was reported: ${quoted(unlinkable(reported.title))}`,
      preview: "Somebody who was offered it says that it is unlawful, hateful, or not music.",
      name: "",
      namesSongs: reported.spotifyUrl !== null,
      tone: toneOf(reported),
      lead: [song(unlinkableSong(reported)), heading("A song was reported")],
      blocks: [
        paragraph(
          "Somebody who was offered it says that it is unlawful, hateful, or not music. In their words:",
        ),
        paragraph(...reportersWords(words, isOperators)),
        quietParagraph(
          `Its id is ${songId}. You get one mail for each song: all its reports, and what you can do, are on the operator's page (/operator).`,
        ),
      ],
      why: whyOperatorMails,
    },
    frame,
  );
}

/** Tells the operator of a notice (rule 49, notices), without anything that a stranger has written. */
export function newNoticeMail(notice: FiledNotice, frame: MailFrame): MailBody {
  return renderMail(
    {
      subject: `Something was reported, number ${noticeNumber(notice)}`,
      preview: `It is to be answered by ${answerDay(notice)}.`,
      name: "",
      lead: [heading("Something was reported")],
      blocks: [
        paragraph(
          `Somebody has reported something here that they say may not be here. It is to be answered by ${answerDay(notice)}.`,
        ),
        paragraph(
          `Its number is ${noticeNumber(notice)}. What it is, and what you can do, are on the operator's page (/operator).`,
        ),
      ],
      why: whyOperatorMails,
    },
    frame,
  );
}

function reportersWords(words: string, isOperators: boolean): Run[] {
  if (isOperators) {
    return ["The song is an operator's, so they are only on the page of the other operators."];
  }
  if (!words) return ["Nothing was added."];
  const plain = unlinkable(words);
  return plain
    ? ["“", { own: plain }, "”"]
    : ["They may contain a link, so they are only on the operator's page."];
}

/**
 * Mails the operator about a payment for premium that is no account's.
 * @throws MailError if the provider does not take it.
 */
export async function tellOfUnclaimedPayment(
  mailer: Mailer,
  config: Pick<Config, "appOrigin" | "operator" | "contactEmail">,
  { customerId, eventId }: { customerId: string; eventId: string },
): Promise<void> {
  const mail = unclaimedPaymentMail(customerId, { ...config, unsubscribeUrl: null });
  await mailer.send(
    { to: config.contactEmail, bcc: null, ...mail, headers: {} },
    `unclaimed-payment:${eventId}`,
  );
}

function unclaimedPaymentMail(customerId: string, frame: MailFrame): MailBody {
  return renderMail(
    {
      subject: "A payment for premium belongs to nobody",
      preview: "Find out who paid, or refund it.",
      name: "",
      lead: [heading("A payment for premium belongs to nobody")],
      blocks: [
        paragraph(
          `The customer ${customerId} has paid at Stripe, but has no account here. Either their account was deleted while they paid, or they did not subscribe through Fivefold and no single account has confirmed their address.`,
        ),
        paragraph(
          "Look at that customer in Stripe's dashboard. Unless you find out who paid, end the subscription, if it has not ended, and refund the payment.",
        ),
        quietParagraph("You get one mail for each such payment."),
      ],
      why: whyOperatorMails,
    },
    frame,
  );
}
