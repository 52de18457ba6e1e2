/** Where the viewer's mails go, and which of them are wanted. */
export interface EmailPreferences {
  address: string | null;
  /** The user gave it; else it is Spotify's. */
  own: boolean;
  /** Mails about the user's songs. */
  rating: boolean;
  /** Mails about the subscription. */
  subscription: boolean;
  /** An address that a link was mailed to, to be confirmed. */
  waiting: string | null;
}
