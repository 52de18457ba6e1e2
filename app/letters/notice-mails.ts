/** Mails to whoever reported something. They repeat nothing that a stranger has written. */

import { answerDays } from "~/db/rules";
import { dayMs, fullDate } from "~/platform/dates";
import { paragraph, quietParagraph } from "./blocks";
import type { MailContent, MailSong } from "./mail";
import { quoted, redress } from "./wording";

export interface FiledNotice {
  id: string;
  createdAt: number;
}

/** How mails and the operator's page call a notice. */
export function noticeNumber({ id }: Pick<FiledNotice, "id">): string {
  return id.slice(0, 8).toUpperCase();
}

const whyNoticeMails =
  "You are receiving this e-mail because something was reported to Fivefold with this address.";

/** Says that a notice has come, and when it is answered (rule 49, notices). */
export function noticeMail(notice: FiledNotice): MailContent {
  const number = noticeNumber(notice);
  return {
    subject: `We have your report, number ${number}`,
    preview: `We answer it by ${answerDay(notice)}.`,
    title: "We have your report",
    blocks: [
      `It came on ${fullDate(notice.createdAt)}, and its number is ${number}. A person will read it, look at what it is about, and decide.`,
      `By ${answerDay(notice)} we write to you what we have decided, and why. If you want to add something, just answer this e-mail.`,
      quietParagraph("If that was not you, just ignore this e-mail."),
    ],
    why: whyNoticeMails,
  };
}

export function answerDay({ createdAt }: Pick<FiledNotice, "createdAt">): string {
  return fullDate(createdAt + answerDays * dayMs);
}

/** What the operator has decided about what somebody reported. */
export interface Answer {
  action: string;
  /** In the operator's own words. */
  reason: string;
  song: MailSong | null;
}

/** Answers a notice (rule 49, notices). */
export function noticeDecisionMail(notice: FiledNotice, answer: Answer): MailContent {
  const { title, blocks } = answerTo(answer);
  return {
    subject: `${title}, number ${noticeNumber(notice)}`,
    preview: answer.reason,
    title,
    blocks,
    why: whyNoticeMails,
  };
}

/** Tells a member what has become of their report (rule 23, reports). It names the song, and not its owner. */
export function reportDecisionMail(answer: Answer): MailContent {
  const { title, blocks } = answerTo(answer);
  const about = answer.song?.title ? answer.song : null;
  return {
    subject: about ? `${title}: ${quoted(about.title)}` : title,
    preview: answer.reason,
    about,
    title,
    blocks,
    why: "You are receiving this e-mail because you reported a song on Fivefold. It cannot be switched off.",
  };
}

const actions: Record<string, string> = {
  take_out: "it is offered to nobody any more",
  delete_file: "its file is deleted, and nobody can hear it here any more",
  uphold_notice: "we have done what was needed",
};

function answerTo({ action, reason }: Answer) {
  const done = actions[action];
  return {
    title: done ? "We have acted on your report" : "We have changed nothing",
    blocks: [
      done
        ? `A person has looked at what you reported. You were right to tell us: ${done}.`
        : "A person has looked at what you reported, and decided that it may stay.",
      paragraph("The reason: ", { own: reason }),
      redress,
    ],
  };
}
