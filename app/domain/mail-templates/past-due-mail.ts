import { button, heading, paragraph, quietParagraph } from "./blocks";
import type { MailBody, MailFrame } from "./mail";
import { renderMail } from "./render";

/** Tells a premium user that the last payment failed, and that Premium continues for now. */
export function pastDueMail(name: string, frame: MailFrame): MailBody {
  return renderMail(
    {
      subject: "Your last payment for Fivefold Premium failed",
      preview: "Premium continues for now. Please update your payment method.",
      name,
      blocks: [
        heading("Your payment is past due"),
        paragraph("The last payment for your subscription failed. Premium continues for now."),
        paragraph(
          "Please update your payment method to continue enjoying premium features: log in and choose Manage Subscription.",
        ),
        button("Take me to Fivefold", `${frame.appOrigin}/`),
        quietParagraph("If you have already done so, you can ignore this e-mail."),
      ],
      why: "You are receiving this e-mail because you have a Fivefold subscription.",
    },
    frame,
  );
}
