import { heading, paragraph, quietParagraph } from "./blocks";
import type { MailBody, MailFrame } from "./mail";
import { renderMail } from "./render";

/** Tells the operator of a payment for premium that is no account's. */
export function unclaimedPaymentMail(customerId: string, frame: MailFrame): MailBody {
  return renderMail(
    {
      subject: "A payment for premium belongs to nobody",
      preview: "Please refund it, or find out whose it is.",
      name: "",
      blocks: [
        heading("A payment for premium belongs to nobody"),
        paragraph(
          `The customer ${customerId} has paid at Stripe, and no account here is theirs. Either it was deleted while they paid, or they subscribed without the product, with an address that no one account has confirmed.`,
        ),
        paragraph(
          "Please look at that customer in Stripe's dashboard. Unless you find out whose the payment is, end the subscription if it has not ended, and refund the payment.",
        ),
        quietParagraph("Each such payment sends one mail."),
      ],
      why: "You are receiving this e-mail because this is the address of the people who run Fivefold.",
    },
    frame,
  );
}
