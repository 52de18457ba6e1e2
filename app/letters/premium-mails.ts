import { type PaymentDates, type ResolvedTier, tierConfigs } from "~/members/tiers";
import { fullDate } from "~/platform/dates";
import { counted } from "~/platform/text";
import { withdrawalDays } from "~/premium/declaration";
import { button, quietParagraph } from "./blocks";
import type { MailContent, MailFrame } from "./mail";
import { withFree } from "./wording";

const whyPremiumMails = "You are receiving this e-mail because you have a Fivefold subscription.";

export function premiumWelcomeMail(
  { renewsAt, price }: PaymentDates,
  frame: MailFrame,
): MailContent {
  const { premium } = tierConfigs;
  return {
    subject: "Welcome to Fivefold Premium",
    preview: "You see all ratings of your songs now.",
    title: "Welcome to Premium",
    blocks: [
      "Thank you for subscribing!",
      `From now on you listen to a song for ${counted(premium.requiredSeconds, "second")} before you rate it, rate ${counted(premium.ratingsToSubmit, "song")} before you add one, and see all ratings of your songs.`,
      button("Take me to my ratings", `${frame.appOrigin}/ratings-of-my-songs`),
      quietParagraph(
        sentences(
          renewsAt === null ? null : renewalText(fullDate(renewsAt), price),
          `You can cancel at any time in your account. Within ${withdrawalDays} days you get your money back if you withdraw, at the foot of our pages.`,
        ),
      ),
    ],
    why: whyPremiumMails,
  };
}

function renewalText(date: string, price: string | null): string {
  return price === null ? `It renews on ${date}.` : `It renews on ${date}: ${price}.`;
}

export function pastDueMail(
  { cancelAt, payment: { failedAt, retryAt } }: Pick<ResolvedTier, "cancelAt" | "payment">,
  frame: MailFrame,
): MailContent {
  return {
    subject: "Your last payment for Fivefold Premium failed",
    preview: "Premium continues for now. Update your payment method.",
    title: "Your payment is past due",
    blocks: [
      sentences(
        failedAt === null
          ? "The last payment for your subscription failed."
          : `The payment for your subscription failed on ${fullDate(failedAt)}.`,
        "Premium continues for now.",
        retryAt === null ? null : `It is tried again on ${fullDate(retryAt)}.`,
        cancelAt === null ? null : `Your subscription ends on ${fullDate(cancelAt)}.`,
      ),
      "Update your payment method, and it goes on.",
      button("Update payment", `${frame.appOrigin}/account`),
      quietParagraph("If you have already done so, you can ignore this e-mail."),
    ],
    why: whyPremiumMails,
  };
}

/** When Premium then ends, no second mail is sent. */
export function premiumCancelledMail(cancelAt: number, frame: MailFrame): MailContent {
  const date = fullDate(cancelAt);
  return {
    subject: `Your Fivefold Premium ends on ${date}`,
    preview: "Your subscription is cancelled. You keep Premium until then.",
    title: "Your subscription is cancelled",
    blocks: [
      `You keep Premium until ${date}. It does not renew.`,
      `Your songs and their ratings stay after that, and new ratings still come in. ${withFree}`,
      "If you change your mind, you can keep Premium until that day:",
      button("Manage Subscription", `${frame.appOrigin}/account`),
      quietParagraph("We won't e-mail you again about this."),
    ],
    why: whyPremiumMails,
  };
}

export function subscriptionEndedMail(frame: MailFrame): MailContent {
  return {
    subject: "Your Fivefold Premium has ended",
    preview: "Your songs and their ratings are still there.",
    title: "Your Premium has ended",
    blocks: [
      "Your songs and their ratings are still there, and new ratings still come in.",
      withFree,
      "Thank you for being with us. If you would like to come back:",
      button("Upgrade to Premium", `${frame.appOrigin}/subscribe`),
    ],
    why: "You are receiving this e-mail because you had a Fivefold subscription.",
  };
}

/** Whole sentences, without those that do not apply. */
function sentences(...all: (string | null)[]): string {
  return all.filter((sentence) => sentence !== null).join(" ");
}
