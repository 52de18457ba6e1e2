import type { MailBody } from "~/outbox/letter";
import { button, heading, paragraph, quietParagraph } from "./blocks";
import type { MailFrame } from "./mail";
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
          "You asked us to tell you when there is something to listen to again. Now there is.",
        ),
        button("Take me to the songs", `${frame.appOrigin}/`),
        quietParagraph(
          "We won't write again about these. Once you have rated them all, you can ask for another e-mail.",
        ),
      ],
      why: "You are receiving this e-mail because you asked Fivefold for it when there was nothing to rate.",
    },
    frame,
  );
}
