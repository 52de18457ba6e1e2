import { confirmationHours, confirmationToken } from "~/domain/contact/address.server";
import type { MailTopic } from "~/domain/contact/email-preferences";
import { unsubscribeToken } from "~/domain/contact/unsubscribe.server";
import { confirmationMail } from "~/domain/mail-templates/confirmation-mail";
import type { MailBody } from "~/domain/mail-templates/mail";
import { pastDueMail } from "~/domain/mail-templates/past-due-mail";
import { type RatedSong, ratingMail } from "~/domain/mail-templates/rating-mail";
import { restingMail } from "~/domain/mail-templates/resting-mail";
import { submissionMail } from "~/domain/mail-templates/submission-mail";
import { subscriptionEndedMail } from "~/domain/mail-templates/subscription-ended-mail";
import type { MailKind } from "~/domain/owed-mail/owe-mail.server";
import { isScore, ratingLabel } from "~/domain/rating/scale";
import { tierConfigs } from "~/domain/tiers/tiers";
import type { Config } from "~/platform/env";
import type { MailFacts, RatingFacts } from "./facts.server";

/** The part of the configuration that mails depend on. */
export type MailConfig = Pick<
  Config,
  "appOrigin" | "operator" | "contactEmail" | "sessionSecret" | "mailBcc"
>;

/** The topic of each kind of mail. A confirmation has none: the user has just asked for it. */
const topicOf: Record<Exclude<MailKind, "confirmation">, MailTopic> = {
  rating: "rating",
  submission: "rating",
  resting: "rating",
  past_due: "subscription",
  premium_ended: "subscription",
};

interface Recipient {
  to: string;
  bcc: string | null;
  /** Where one click ends such mails; null if there is nothing to end. */
  unsubscribeUrl: string | null;
}

/** A mail is not sent, for this reason. */
interface Skip {
  skip: string;
}

/**
 * Decides who gets a mail, at every attempt anew: a user who has switched such mails off in the
 * meantime gets none.
 */
export async function chooseRecipient(
  { kind, userId, address, subscription, wants, restingSong, confirmation }: MailFacts,
  { sessionSecret, appOrigin, mailBcc }: MailConfig,
): Promise<Recipient | Skip> {
  if (kind === "confirmation") {
    if (!confirmation?.open) return { skip: "superseded" };
    // No copy: nobody else may have the link.
    return { to: confirmation.address, bcc: null, unsubscribeUrl: null };
  }
  const topic = topicOf[kind];
  if (kind === "past_due" && !subscription.showPaymentWarning) return { skip: "over" };
  if (kind === "premium_ended" && subscription.tier === "premium") return { skip: "over" };
  if (kind === "resting" && !restingSong) return { skip: "over" };
  if (!wants[topic]) return { skip: "unwanted" };
  if (!address) return { skip: "no address" };
  const token = await unsubscribeToken(sessionSecret, { userId, topic, address });
  return {
    to: address,
    bcc: topic === "rating" ? mailBcc : null,
    unsubscribeUrl: `${appOrigin}/unsubscribe?token=${token}`,
  };
}

/** Renders a mail, or says that what it is about is gone. */
export async function composeMail(
  { kind, displayName, subscription, ratings, addedSong, restingSong, confirmation }: MailFacts,
  unsubscribeUrl: string | null,
  { appOrigin, operator, contactEmail, sessionSecret }: MailConfig,
): Promise<MailBody | Skip> {
  const frame = { appOrigin, operator, contactEmail, unsubscribeUrl };
  switch (kind) {
    case "rating": {
      const rated = groupBySong(ratings, tierConfigs[subscription.tier].maxVisibleRatings);
      return rated.length > 0 ? ratingMail(displayName, rated, frame) : { skip: "gone" };
    }
    case "submission":
      return addedSong ? submissionMail(displayName, addedSong, frame) : { skip: "gone" };
    case "resting":
      return restingSong ? restingMail(displayName, restingSong, frame) : { skip: "over" };
    case "confirmation": {
      if (!confirmation) return { skip: "gone" };
      const { id, address } = confirmation;
      const url = `${appOrigin}/confirm-email?token=${await confirmationToken(sessionSecret, id)}`;
      return confirmationMail(displayName, { address, url, hours: confirmationHours }, frame);
    }
    case "past_due":
      return pastDueMail(displayName, frame);
    case "premium_ended":
      return subscriptionEndedMail(displayName, frame);
  }
}

/**
 * The new ratings song by song.
 * @param maxVisible the owner sees the labels of this many newest ratings of a song; -1 for all.
 */
function groupBySong(ratings: RatingFacts[], maxVisible: number): RatedSong[] {
  const bySong = new Map<string, RatedSong>();
  for (const { score, newer, ...song } of ratings) {
    if (!isScore(score)) continue;
    const rated = bySong.get(song.songId) ?? { ...song, labels: [], hidden: 0 };
    if (maxVisible < 0 || newer < maxVisible) rated.labels.push(ratingLabel(score));
    else rated.hidden += 1;
    bySong.set(song.songId, rated);
  }
  return [...bySong.values()];
}
