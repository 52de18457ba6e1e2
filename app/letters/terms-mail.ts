import { fullDate } from "~/platform/dates";
import { button, paragraph } from "./blocks";
import type { MailContent, MailFrame } from "./mail";

/** Tells a member of terms that will hold (rule 51, terms). */
export function termsMail(
  { from, changes }: { from: number; changes: string | null },
  frame: MailFrame,
): MailContent {
  const date = fullDate(from);
  return {
    subject: `Our terms change on ${date}`,
    preview: "What changes, and what you can do.",
    title: "Our terms change",
    blocks: [
      `New terms hold from ${date}.`,
      ...(changes ? [paragraph("What changes: ", { own: changes })] : []),
      button("Read the new terms", `${frame.appOrigin}/terms`),
      "If you do not agree, you can cancel your subscription and delete your account before that day. If you stay, they hold for you, too.",
    ],
    why: "You are receiving this e-mail because you have an account at Fivefold. It cannot be switched off.",
  };
}
