import { type PaymentDates, tierConfigs } from "~/members/tiers";
import type { MailBody } from "~/outbox/letter";
import { fullDate } from "~/platform/dates";
import { counted } from "~/platform/text";
import { button, heading, paragraph, quietParagraph } from "./blocks";
import type { MailFrame } from "./mail";
import { renderMail } from "./render";

/** Welcomes a user to Premium: what it changes, and when it renews. */
export function premiumWelcomeMail(
  name: string,
  { renewsAt, price }: PaymentDates,
  frame: MailFrame,
): MailBody {
  const { premium } = tierConfigs;
  const renews =
    renewsAt === null
      ? ""
      : `It renews on ${fullDate(renewsAt)}${price === null ? "" : `: ${price}`}. `;
  return renderMail(
    {
      subject: "Welcome to Fivefold Premium",
      preview: "You see all ratings of your songs now.",
      name,
      blocks: [
        heading("Welcome to Premium"),
        paragraph("Thank you for subscribing!"),
        paragraph(
          `From now on you listen to a song for ${counted(premium.requiredSeconds, "second")} before you rate it, rate ${counted(premium.ratingsToSubmit, "song")} before you add one, and see all ratings of your songs.`,
        ),
        button("Take me to my ratings", `${frame.appOrigin}/ratings-of-my-songs`),
        quietParagraph(`${renews}You can cancel at any time in your account.`),
      ],
      why: "You are receiving this e-mail because you have a Fivefold subscription.",
    },
    frame,
  );
}
