/** The types of the mail templates. */

/** The parts of a mail that are the same for every kind. */
export interface MailFrame {
  /** No trailing slash. */
  appOrigin: string;
  /** The operator's name and postal address, possibly over several lines. */
  operator: string;
  contactEmail: string;
  /** The address where one click ends mails of this kind; null if there is nothing to end. */
  unsubscribeUrl: string | null;
}

/** A mail before it is rendered. */
export interface MailContent {
  subject: string;
  /** The text that an inbox shows beside the subject. */
  preview: string;
  /** The name that the mail greets; may be empty. */
  name: string;
  blocks: Block[];
  /** It names songs. Their titles come from Spotify, which the footer then credits. */
  namesSongs?: boolean;
  /** The reason for which the user gets this mail, for the footer. */
  why: string;
}

/** One part of a mail, as it appears in the HTML and in the text. Both say the same; a text may be empty. */
export interface Block {
  html: JSX.Element;
  text: string;
}

/** A piece of a sentence: the product's words, or a user's own in their own writing direction. */
export type Run = string | { own: string };

/** A song as a mail names it, with a link to `spotifyUrl` if that is a web address. */
export interface MailSong {
  /** Empty where the mail must not name it. */
  title: string;
  artists: string[];
  spotifyUrl: string;
}
