import { htmlOf } from "./html";
import { textOf } from "./text";
import { oneLine } from "./wording";

/** A mail, rendered. */
export interface MailBody {
  subject: string;
  html: string;
  text: string;
}

/** What every mail needs of the product. */
export interface MailFrame {
  /** No trailing slash. */
  appOrigin: string;
  /** Who runs this product: name and postal address, possibly over several lines. */
  operator: string;
  contactEmail: string;
  /** Where one click ends mails of this kind; null where there is nothing to end. */
  unsubscribeUrl: string | null;
}

/** A piece of a sentence: the product's words, or somebody's own, in their own writing direction. */
export type Run = string | { own: string };

/** A song as a mail names it. The title leads to `spotifyUrl` if that is a web address. */
export interface MailSong {
  title: string;
  artists: string[];
  spotifyUrl: string;
}

/** One part of a mail. Every kind is shown by the HTML and by the text, with the same facts. */
export type Block =
  | { kind: "heading"; text: string }
  | { kind: "paragraph"; runs: Run[]; quiet?: boolean }
  /** Ratings, newest first. `alone`: this one is what the whole mail is about. */
  | { kind: "labels"; labels: string[]; alone: boolean }
  | { kind: "song"; song: MailSong }
  /** How many strokes of how many are made, and the same in words. */
  | { kind: "tally"; made: number; of: number; text: string }
  | { kind: "button"; label: string; url: string }
  /** What only premium shows, and the way there. */
  | { kind: "lock"; strong: string; rest: string; label: string; url: string }
  /** An address to be seen and copied. */
  | { kind: "address"; label: string; url: string }
  | { kind: "divider" };

/** A mail before it is rendered. */
export interface MailContent {
  subject: string;
  /** What an inbox shows beside the subject. */
  preview: string;
  /** Whom it greets; may be empty. */
  name: string;
  blocks: Block[];
  /** Why this mail came, for the footer. */
  why: string;
}

/**
 * Renders a mail twice, for clients that show HTML and for those that show text. Neither fetches
 * anything when it is opened (no images, fonts or scripts), so nobody learns that it was read.
 */
export function renderMail(content: MailContent, frame: MailFrame): MailBody {
  return {
    subject: oneLine(content.subject),
    html: htmlOf(content, footerOf(content, frame), frame.appOrigin),
    text: textOf(content, footerOf(content, frame)),
  };
}

/** What stands below every mail. */
export interface MailFooter {
  why: string;
  /** Whether the mail names songs, whose titles are Spotify's. */
  credit: boolean;
  links: { label: string; url: string }[];
  /** One line. */
  operator: string;
  contactEmail: string;
}

function footerOf({ why, blocks }: MailContent, frame: MailFrame): MailFooter {
  const { appOrigin, unsubscribeUrl, operator, contactEmail } = frame;
  const end = unsubscribeUrl
    ? [{ label: "Unsubscribe from these mails", url: unsubscribeUrl }]
    : [];
  return {
    why,
    credit: blocks.some(({ kind }) => kind === "song"),
    links: [...end, { label: "E-mail settings", url: `${appOrigin}/account` }],
    operator: oneLine(operator.trim().replace(/\s*\n\s*/g, ", ")),
    contactEmail,
  };
}
