import { heading, paragraph, quietParagraph } from "./blocks";
import type { MailBody, MailFrame } from "./mail";
import { renderMail } from "./render";

/** Tells the operator of a payment for premium that is no account's. */
export function unclaimedPaymentMail(customerId: string, frame: MailFrame): MailBody {
  return renderMail(
    {
      subject: "A payment for premium belongs to nobody",
      preview: "Please find out who paid, or refund it.",
      name: "",
      blocks: [
        heading("A payment for premium belongs to nobody"),
        paragraph(
          `The customer ${customerId} has paid at Stripe, but has no account here. Either their account was deleted while they paid, or they did not subscribe through Fivefold and no single account has confirmed their address.`,
        ),
        paragraph(
          "Please look at that customer in Stripe's dashboard. Unless you find out who paid, end the subscription, if it has not ended, and refund the payment.",
        ),
        quietParagraph("You get one mail for each such payment."),
      ],
      why: "You are receiving this e-mail because this is the address of the people who run Fivefold.",
    },
    frame,
  );
}
