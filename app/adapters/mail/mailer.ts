/** A mail as a provider takes it. */
export interface OutgoingMail {
  to: string;
  bcc: string | null;
  subject: string;
  html: string;
  text: string;
  /** Beyond those that follow from the fields above. */
  headers: Record<string, string>;
}

/** Who the mails are from, and where an answer to one goes. */
export interface MailSender {
  name: string;
  address: string;
  replyTo: string;
}

/** A mail provider. */
export interface Mailer {
  /**
   * Hands a mail over. When it returns, the provider has it.
   * @param key of any number of mails under one key a provider that knows such keys sends one.
   * @throws MailError
   */
  send(mail: OutgoingMail, key: string): Promise<void>;
}

/** How long a provider may take to answer, in milliseconds. */
export const mailTimeoutMs = 10_000;

/**
 * Why a mail was not taken:
 * - "refused": this one never will be;
 * - "busy": a limit, or the same mail is under way; nothing is wrong with it;
 * - "failed": anything else. It may even have been taken.
 * The message is the provider's code for it, never the mail's content or an address.
 */
export class MailError extends Error {
  override readonly name = "MailError";
  readonly reason: "refused" | "busy" | "failed";
  /** How long the provider wants to be left alone, where it says so. */
  readonly retryAfterSeconds: number | null;

  constructor(
    reason: MailError["reason"],
    message: string,
    retryAfterSeconds: number | null = null,
  ) {
    super(message);
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
