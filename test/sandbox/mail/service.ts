/** What all parts of the mail stand-in share. */
import type { SandboxContext } from "../context.ts";
import type { Faults } from "../faults.ts";
import type { Mailbox } from "./mailbox.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { MailWebhooks } from "./webhooks.ts";

export interface MailService {
  context: SandboxContext;
  mailbox: Mailbox;
  rateLimit: RateLimit;
  /** Recipients that a test wants refused, in lower case. */
  refused: Set<string>;
  /** Addresses that a mail came back from, or that reported one: nothing is sent there any more. */
  suppressed: Set<string>;
  webhooks: MailWebhooks;
  /** Faults that hit after the mail was sent: the response is lost. */
  lostAnswers: Faults;
}

/** The API key that may do everything. */
export const API_KEY = "re_sandbox_development_only";
/** The API key that may only send, as the product's needs to. */
export const SENDING_KEY = "re_sandbox_sending_only";
/** The default secret for signing webhooks: base64, as Svix makes it. */
export const MAIL_WEBHOOK_SECRET = "whsec_ZGV2ZWxvcG1lbnQtb25seS13ZWJob29rLXNlY3JldA==";
/** The only domain that is not verified, besides Resend's own for tests. */
export const UNVERIFIED_DOMAIN = "unverified.example";
export const TEST_DOMAIN = "resend.dev";
/** The only address that Resend's own domain may send to: that of the account. */
export const ACCOUNT_ADDRESS = "operator@fivefold.example";
