/** A mail as the outbox knows it: whom it goes to and what it says, both decided anew at every attempt. */
export interface Letter {
  recipient(): Promise<Recipient | Skip>;
  /** @param unsubscribeUrl as `recipient` gave it. */
  compose(unsubscribeUrl: string | null): Promise<MailBody | Skip>;
}

export interface Recipient {
  to: string;
  bcc: string | null;
  /** The address where one click ends such mails; null if there is nothing to end. */
  unsubscribeUrl: string | null;
}

/** A rendered mail. */
export interface MailBody {
  subject: string;
  html: string;
  text: string;
}

/** The reason for which a mail is not sent. */
export interface Skip {
  skip: string;
}

/**
 * Reads the letters of some outbox rows, by the rows' ids. One whose user is gone is left out.
 * @throws if one of them cannot be read.
 */
export type ReadLetters = (ids: string[]) => Promise<Map<string, Letter>>;
