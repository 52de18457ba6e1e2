import type { OutgoingMail } from "~/outbox/mailer";
import type { Config } from "~/platform/env";
import { paragraph, quietParagraph } from "./blocks";
import type { MailContent, MailSong, Run } from "./mail";
import { answerDay, type FiledNotice, noticeNumber } from "./notice-mails";
import { renderMail } from "./render";
import { quoted, unlinkable, unlinkableSong } from "./wording";

type OperatorsMail = Omit<MailContent, "why">;

/** A mail to the operator, which no outbox keeps. */
export function toOperator(
  content: OperatorsMail,
  config: Pick<Config, "appOrigin" | "operator" | "contactEmail">,
): OutgoingMail {
  const why =
    "You are receiving this e-mail because this is the address of the people who run Fivefold.";
  const frame = { ...config, unsubscribeUrl: null };
  const mail = renderMail({ ...content, why }, "", frame);
  return { to: config.contactEmail, bcc: null, ...mail };
}

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
export function reportMail({
  words,
  songId,
  isOperators,
  ...reported
}: ReportedSong): OperatorsMail {
  return {
    subject: `A song was reported: ${quoted(unlinkable(reported.title))}`,
    preview: "Somebody who was offered it says that it is unlawful, hateful, or not music.",
    about: unlinkableSong(reported),
    title: "A song was reported",
    blocks: [
      "Somebody who was offered it says that it is unlawful, hateful, or not music. In their words:",
      paragraph(...reportersWords(words, isOperators)),
      quietParagraph(
        `Its id is ${songId}. You get one mail for each song: all its reports, and what you can do, are on the operator's page (/operator).`,
      ),
    ],
  };
}

/** Tells the operator of a notice (rule 49, notices), without anything that a stranger has written. */
export function newNoticeMail(notice: FiledNotice): OperatorsMail {
  return {
    subject: `Something was reported, number ${noticeNumber(notice)}`,
    preview: `It is to be answered by ${answerDay(notice)}.`,
    title: "Something was reported",
    blocks: [
      `Somebody has reported something here that they say may not be here. It is to be answered by ${answerDay(notice)}.`,
      `Its number is ${noticeNumber(notice)}. What it is, and what you can do, are on the operator's page (/operator).`,
    ],
  };
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

/** Tells the operator of a payment for premium that is no account's. */
export function unclaimedPaymentMail(customerId: string): OperatorsMail {
  return {
    subject: "A payment for premium belongs to nobody",
    preview: "Find out who paid, or refund it.",
    title: "A payment for premium belongs to nobody",
    blocks: [
      `The customer ${customerId} has paid at Stripe, but has no account here. Either their account was deleted while they paid, or they did not subscribe through Fivefold and no single account has confirmed their address.`,
      "Look at that customer in Stripe's dashboard. Unless you find out who paid, end the subscription, if it has not ended, and refund the payment.",
      quietParagraph("You get one mail for each such payment."),
    ],
  };
}
