import type { ResolvedTier } from "~/members/tiers";
import type { MailBody } from "~/outbox/letter";
import { fullDate } from "~/platform/dates";
import { button, heading, paragraph, quietParagraph } from "./blocks";
import type { MailFrame } from "./mail";
import { renderMail } from "./render";

/** Tells a premium user that the last payment failed, and that Premium continues for now. */
export function pastDueMail(
  name: string,
  { cancelAt, payment: { failedAt, retryAt } }: Pick<ResolvedTier, "cancelAt" | "payment">,
  frame: MailFrame,
): MailBody {
  const failed =
    failedAt === null
      ? "The last payment for your subscription failed."
      : `The payment for your subscription failed on ${fullDate(failedAt)}.`;
  const then = retryAt === null ? "" : ` It is tried again on ${fullDate(retryAt)}.`;
  const end = cancelAt === null ? "" : ` Your subscription ends on ${fullDate(cancelAt)}.`;
  return renderMail(
    {
      subject: "Your last payment for Fivefold Premium failed",
      preview: "Premium continues for now. Please update your payment method.",
      name,
      blocks: [
        heading("Your payment is past due"),
        paragraph(`${failed} Premium continues for now.${then}${end}`),
        paragraph("Please update your payment method to continue enjoying premium features."),
        button("Update payment", `${frame.appOrigin}/account`),
        quietParagraph("If you have already done so, you can ignore this e-mail."),
      ],
      why: "You are receiving this e-mail because you have a Fivefold subscription.",
    },
    frame,
  );
}
