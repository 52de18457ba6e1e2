import type { RatingMailRhythm } from "./rating-mail-rhythm";

/** The mails that a user can switch off: those about their songs, and those about the subscription. */
export type SwitchedTopic = "rating" | "subscription";

/**
 * The topics of mails that can be unsubscribed from. A mail about "songs" says that there are songs to rate
 * again; each is asked for by itself, so that there is no switch for them.
 */
export const mailTopics = ["rating", "subscription", "songs"] as const;
export type MailTopic = (typeof mailTopics)[number];

/** The address of a user's mails, and the topics that are switched on. */
export interface EmailPreferences extends Record<SwitchedTopic, boolean> {
  /** Null if there is none, so that no mail can be sent. */
  address: string | null;
  /** The user gave the address; otherwise it comes from Spotify. */
  own: boolean;
  /** Rhythm of the mails about ratings. */
  rhythm: RatingMailRhythm;
  /** The topics that the address has unsubscribed from: none is mailed, whatever is switched on. */
  ended: Record<MailTopic, boolean>;
}

/** The e-mail part of the account page. */
export interface AccountEmail extends EmailPreferences {
  /** The address that Spotify has given, or null. Mails go there where the user has given none. */
  spotifyAddress: string | null;
  /** An address that the user has given and not confirmed yet. */
  waiting: string | null;
  /** The user has asked for a mail when there are songs to rate again. */
  songMailAsked: boolean;
}
