/** The mails that a user can switch off: those about their songs, and those about the subscription. */
export type MailTopic = "rating" | "subscription";

/** Where a user's mails go, and which topics are switched on. */
export interface EmailPreferences extends Record<MailTopic, boolean> {
  /** Null if there is none, so that no mail can be sent. */
  address: string | null;
  /** Whether the user gave the address; otherwise it comes from Spotify. */
  own: boolean;
  /** The topics that the address has unsubscribed from: none is mailed, whatever is switched on. */
  ended: Record<MailTopic, boolean>;
}

/** The e-mail part of the account page. */
export interface AccountEmail extends EmailPreferences {
  /** An address that the user has given and not confirmed yet. */
  waiting: string | null;
}
