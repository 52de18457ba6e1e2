import type { MailBody } from "~/outbox/letter";
import type { Mailer } from "~/outbox/mailer";
import type { Config } from "~/platform/env";
import { heading, paragraph, quietParagraph } from "./blocks";
import type { MailFrame } from "./mail";
import { renderMail } from "./render";

/**
 * Mails the operator about a payment for premium that is no account's.
 * @throws MailError if the provider does not take it.
 */
export async function tellOfUnclaimedPayment(
  mailer: Mailer,
  config: Pick<Config, "appOrigin" | "operator" | "contactEmail">,
  { customerId, eventId }: { customerId: string; eventId: string },
): Promise<void> {
  const mail = unclaimedPaymentMail(customerId, { ...config, unsubscribeUrl: null });
  const to = config.contactEmail;
  await mailer.send({ to, bcc: null, ...mail, headers: {} }, `unclaimed-payment:${eventId}`);
}

function unclaimedPaymentMail(customerId: string, frame: MailFrame): MailBody {
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
