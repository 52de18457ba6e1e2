import { button, heading, paragraph, quietParagraph } from "./blocks";
import type { MailBody, MailFrame } from "./mail";
import { renderMail } from "./render";

/** Tells a user who had nothing left to rate, and asked for this mail, that there are songs again. */
export function songsAgainMail(name: string, frame: MailFrame): MailBody {
  return renderMail(
    {
      subject: "There are songs to rate again",
      preview: "You asked us to tell you.",
      name,
      blocks: [
        heading("There are songs to rate again"),
        paragraph(
          "You asked us to tell you when there are songs to listen to and rate again. Now there are.",
        ),
        button("Take me to the songs", `${frame.appOrigin}/`),
        quietParagraph(
          "This is the only e-mail about them. Once you have rated them all, you can ask for another one.",
        ),
      ],
      why: "You are receiving this e-mail because you asked Fivefold for it when there was nothing to rate.",
    },
    frame,
  );
}
