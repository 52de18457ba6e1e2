/** After each rating, or once a submission has all five. */
export const ratingMailRhythms = ["each", "complete"] as const;
export type RatingMailRhythm = (typeof ratingMailRhythms)[number];

export type SwitchedTopic = "rating" | "subscription";

/**
 * "songs": there are songs to rate again, or a song is out. "rounds": of those that one is in. "notices": of what one
 * has reported here. Each is asked for by itself, so there is no switch.
 */
export const mailTopics = ["rating", "subscription", "songs", "rounds", "notices"] as const;
export type MailTopic = (typeof mailTopics)[number];

/** One mail came back, or was reported as spam: no mail goes there any more. */
export const returns = ["bounced", "complained"] as const;
export type Returned = (typeof returns)[number];

export interface Suppressed {
  ended: Record<MailTopic, boolean>;
  /** Null if it has only unsubscribed. */
  returned: Returned | null;
}

export interface EmailPreferences extends Record<SwitchedTopic, boolean>, Suppressed {
  address: string | null;
  own: boolean;
  rhythm: RatingMailRhythm;
}

export interface AccountEmail extends EmailPreferences {
  /** Mails go there where the user has given no address. */
  spotifyAddress: string | null;
  waiting: string | null;
  waitingBounced: boolean;
  songMailAsked: boolean;
}
