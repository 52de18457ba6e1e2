import type { MailBody } from "~/outbox/letter";
import { fullDate } from "~/platform/dates";
import { button, heading, paragraph, quietParagraph } from "./blocks";
import type { MailFrame } from "./mail";
import { renderMail } from "./render";
import { withFree } from "./wording";

/**
 * Confirms that a subscription is cancelled, and says until when Premium stays. At that date there is no
 * second mail.
 * @param cancelAt epoch milliseconds.
 */
export function premiumCancelledMail(name: string, cancelAt: number, frame: MailFrame): MailBody {
  const date = fullDate(cancelAt);
  return renderMail(
    {
      subject: `Your Fivefold Premium ends on ${date}`,
      preview: "Your subscription is cancelled. You keep Premium until then.",
      name,
      blocks: [
        heading("Your subscription is cancelled"),
        paragraph(`You keep Premium until ${date}. It does not renew.`),
        paragraph(
          `Your songs and their ratings stay after that, and new ratings still come in. ${withFree}`,
        ),
        paragraph("If you change your mind, you can keep Premium until that day:"),
        button("Manage Subscription", `${frame.appOrigin}/account`),
        quietParagraph("We won't e-mail you again about this."),
      ],
      why: "You are receiving this e-mail because you have a Fivefold subscription.",
    },
    frame,
  );
}
