import type { outbox } from "~/db/schema";

/** What a mail can be about. */
export type MailKind = typeof outbox.$inferSelect.kind;

/** What people can have mails about, or not: the songs they put up, and their subscription. */
export type MailTopic = "rating" | "subscription";

/** The topic of a kind of mail; null where it was asked for and nothing of the kind follows. */
export const topicOf: Record<MailKind, MailTopic | null> = {
  rating: "rating",
  submission: "rating",
  confirmation: null,
  past_due: "subscription",
  premium_ended: "subscription",
};
