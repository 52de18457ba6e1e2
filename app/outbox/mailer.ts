/** A mail in the form that a provider takes. */
export interface OutgoingMail {
  to: string;
  bcc: string | null;
  subject: string;
  html: string;
  text: string;
  /** Headers besides those that the fields above result in. */
  headers: Record<string, string>;
}

/** A mail provider. */
export interface Mailer {
  /**
   * Hands a mail to the provider, which has accepted it when this returns.
   * @param key an idempotency key: the provider sends one mail per key.
   * @throws MailError
   */
  send(mail: OutgoingMail, key: string): Promise<void>;
}

/** A mail that came back for good, or that its reader has reported as spam. */
export interface MailReturn {
  address: string;
  why: "bounced" | "complained";
  /** When, in epoch milliseconds. */
  at: number;
}

/**
 * Reads what a provider reports about a mail.
 * @returns "unsigned" if it is not the provider's, or too old; null if the mail has not been returned.
 */
export type ReadMailEvent = (
  body: string,
  headers: Headers,
) => Promise<MailReturn | null | "unsigned">;

/** Time limit for a provider's answer, in milliseconds. */
export const mailTimeoutMs = 10_000;

/**
 * A mail that a provider has not accepted, for one of these reasons:
 * - "refused": it will never accept this mail;
 * - "busy": a rate limit, or another request has the same mail in hand; the mail itself is fine;
 * - "setup": the key, the sender or an address of the configuration is not accepted. No mail is, until
 *   the operator has mended that;
 * - "failed": anything else. The provider may even have accepted it.
 * The message is the provider's error code and contains neither the mail's content nor an address.
 */
export class MailError extends Error {
  override readonly name = "MailError";
  readonly reason: "refused" | "busy" | "setup" | "failed";
  /** Wait that the provider asks for; null if it does not say. */
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
