import type { MailBody } from "~/outbox/mailer";
import { heading, paragraph } from "./blocks";
import type { MailFrame } from "./mail";
import { renderMail } from "./render";

/** Brings somebody who cannot log in the data of their account, which are attached. */
export function exportMail(name: string, frame: MailFrame): MailBody {
  return renderMail(
    {
      subject: "Your data on Fivefold",
      preview: "Everything that is stored about you is attached.",
      name,
      lead: [heading("Your data are attached")],
      blocks: [
        paragraph(
          "The attached file has everything that Fivefold has stored about you, as JSON. Any text editor opens it.",
        ),
      ],
      why: "You are receiving this e-mail because you have asked us for your data.",
    },
    frame,
  );
}
