import { type MailBody, type MailFrame, renderMail } from "./mail";

/** Tells a premium user that the last payment failed and premium goes on for now. */
export function pastDueMail(name: string, frame: MailFrame): MailBody {
  return renderMail(
    {
      subject: "Your last payment for Fivefold Premium failed",
      preview: "Premium goes on for now. Please update your payment method.",
      name,
      blocks: [
        { kind: "heading", text: "Your payment is past due" },
        {
          kind: "paragraph",
          runs: ["The last payment for your subscription failed. Premium goes on for now."],
        },
        {
          kind: "paragraph",
          runs: [
            "Please update your payment method to continue enjoying premium features: log in, and choose Manage Subscription.",
          ],
        },
        { kind: "button", label: "Take me to Fivefold", url: `${frame.appOrigin}/` },
        {
          kind: "paragraph",
          quiet: true,
          runs: ["If you have done so in the meantime, this mail needs nothing more of you."],
        },
      ],
      why: "You get this mail because you have a subscription at Fivefold.",
    },
    frame,
  );
}
