import type { MailBody } from "~/outbox/mailer";
import { fullDate } from "~/platform/dates";
import { button, heading, paragraph } from "./blocks";
import type { MailFrame } from "./mail";
import { renderMail } from "./render";

/** Tells a member of terms that will hold (rule 51, terms). */
export function termsMail(
  name: string,
  { from, changes }: { from: number; changes: string | null },
  frame: MailFrame,
): MailBody {
  const date = fullDate(from);
  return renderMail(
    {
      subject: `Our terms change on ${date}`,
      preview: "What changes, and what you can do.",
      name,
      lead: [heading("Our terms change")],
      blocks: [
        paragraph(`New terms hold from ${date}.`),
        ...(changes ? [paragraph("What changes: ", { own: changes })] : []),
        button("Read the new terms", `${frame.appOrigin}/terms`),
        paragraph(
          "If you do not agree, you can cancel your subscription and delete your account before that day. If you stay, they hold for you, too.",
        ),
      ],
      why: "You are receiving this e-mail because you have an account at Fivefold. It cannot be switched off.",
    },
    frame,
  );
}
