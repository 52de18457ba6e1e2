import type { RatingMailRhythm } from "./rating-mail-rhythm";

/** The mails that a user can switch off: those about their songs, and those about the subscription. */
export type SwitchedTopic = "rating" | "subscription";

/**
 * The topics of mails that can be unsubscribed from. A mail about "songs" says that there are songs to rate
 * again; each is asked for by itself, so that there is no switch for them.
 */
export const mailTopics = ["rating", "subscription", "songs"] as const;
export type MailTopic = (typeof mailTopics)[number];

/** Why no mail at all goes to an address: one came back from there, or was reported as spam. */
export const returns = ["bounced", "complained"] as const;
export type Returned = (typeof returns)[number];

/** The mails that an address does not get, whatever accounts want. */
export interface Suppressed {
  ended: Record<MailTopic, boolean>;
  /** Null if it has only unsubscribed. */
  returned: Returned | null;
}

/** The address of a user's mails, and the topics that are switched on. */
export interface EmailPreferences extends Record<SwitchedTopic, boolean>, Suppressed {
  /** Null if there is none, so that no mail can be sent. */
  address: string | null;
  /** The user gave the address; otherwise it comes from Spotify. */
  own: boolean;
  /** Rhythm of the mails about ratings. */
  rhythm: RatingMailRhythm;
}

/** The e-mail part of the account page. */
export interface AccountEmail extends EmailPreferences {
  /** The address that Spotify has given, or null. Mails go there where the user has given none. */
  spotifyAddress: string | null;
  /** An address that the user has given and not confirmed yet. */
  waiting: string | null;
  /** The mail with the link for that address came back. */
  waitingBounced: boolean;
  /** The user has asked for a mail when there are songs to rate again. */
  songMailAsked: boolean;
}
