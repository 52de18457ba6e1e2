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
  /** The name that the mail greets; may be empty. */
  name: string;
  /** What the mail's card is coloured as; of one about no single song if left out. */
  tone?: Tone;
  /** What it is about, above the greeting. */
  lead: Block[];
  blocks: Block[];
  /** Cards of their own, between the greeting and the blocks. */
  cards?: Card[];
  /** Of Spotify's: the footer then credits it for their titles. */
  namesSongs?: boolean;
  /** The footer says why the user gets this mail. */
  why: string;
}

export interface Card {
  tone: Tone;
  blocks: Block[];
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
