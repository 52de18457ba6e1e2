export interface MailBody {
  subject: string;
  html: string;
  text: string;
}

export interface RenderedMail extends MailBody {
  to: string;
  bcc: string | null;
}

export interface OutgoingMail extends RenderedMail {
  headers?: Record<string, string>;
  /** Its content as base64. */
  file?: { filename: string; content: string };
}

export interface Mailer {
  /** When this returns, the provider has accepted the mail, and sends one for each key. Throws MailError. */
  send(mail: OutgoingMail, key: string): Promise<void>;
}

/** A mail that came back for good, or that its reader has reported as spam. */
export interface MailReturn {
  address: string;
  why: "bounced" | "complained";
  at: number;
}

/** "unsigned" if the report is not the provider's, or too old; null if the mail has not come back. */
export type ReadMailEvent = (
  body: string,
  headers: Headers,
) => Promise<MailReturn | null | "unsigned">;

export const mailTimeoutMs = 10_000;

/**
 * A mail that a provider has not accepted, for one of these reasons:
 * - "refused": it will never accept this mail;
 * - "busy": a rate limit, or another request with the same mail;
 * - "setup": the provider accepts no mail until the operator mends the configuration;
 * - "failed": anything else. The provider may even have accepted it.
 * The message is the provider's error code and contains neither the mail's content nor an address.
 */
export class MailError extends Error {
  override readonly name = "MailError";
  readonly reason: "refused" | "busy" | "setup" | "failed";
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
