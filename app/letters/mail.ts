import type { Tone } from "~/covers/tones";

/** What is the same in mails of every kind. */
export interface MailFrame {
  /** No trailing slash. */
  appOrigin: string;
  /** Name and postal address, possibly over several lines. */
  operator: string;
  contactEmail: string;
  /** One click there ends mails of this kind. */
  unsubscribeUrl: string | null;
}

/** A mail before it is rendered. */
export interface MailContent {
  subject: string;
  /** An inbox shows it beside the subject. */
  preview: string;
  /** Heads the mail, and colours it. */
  about?: MailSong | null;
  /** Where it is not as `about` says. */
  tone?: Tone;
  title?: string;
  /** Further blocks above the greeting. */
  lead?: Block[];
  /** A text is a paragraph. */
  blocks: (Block | string)[];
  /** Songs with cards of their own, between the greeting and the blocks. */
  cards?: { about: MailSong; blocks: Block[] }[];
  /** The footer says why the user gets this mail. */
  why: string;
}

/** One part of a mail. HTML and text say the same; a text may be empty. */
export interface Block {
  html: JSX.Element;
  text: string;
}

/** A piece of a sentence: the product's words, or a user's own, which keep their writing direction. */
export type Run = string | { own: string };

export interface MailSong {
  /** Empty where the mail must not name it. */
  title: string;
  artists: string[];
  /** Null for an own recording. */
  spotifyUrl: string | null;
  tint: number | null;
  /** A tile of its colour stands for it then. No mail shows a picture. */
  hasDrawnCover?: boolean;
}
