import type { MailBody } from "~/outbox/letter";
import { button, heading, paragraph } from "./blocks";
import type { MailFrame } from "./mail";
import { renderMail } from "./render";
import { withFree } from "./wording";

/** Tells a user that Premium has ended: what changes, what stays, and the way back. */
export function subscriptionEndedMail(name: string, frame: MailFrame): MailBody {
  return renderMail(
    {
      subject: "Your Fivefold Premium has ended",
      preview: "Your songs and their ratings are still there.",
      name,
      blocks: [
        heading("Your Premium has ended"),
        paragraph("Your songs and their ratings are still there, and new ratings still come in."),
        paragraph(withFree),
        paragraph("Thank you for being with us. If you would like to come back:"),
        button("Upgrade to Premium", `${frame.appOrigin}/subscribe`),
      ],
      why: "You are receiving this e-mail because you had a Fivefold subscription.",
    },
    frame,
  );
}
