/** What all parts of the mail stand-in share. */
import type { SandboxContext } from "../context.ts";
import type { Faults } from "../faults.ts";
import type { Mailbox } from "./mailbox.ts";
import type { RateLimit } from "./rate-limit.ts";

export interface MailService {
  context: SandboxContext;
  mailbox: Mailbox;
  rateLimit: RateLimit;
  /** Recipients that a test wants refused, in lower case. */
  refused: Set<string>;
  /** Faults that hit after the mail was sent: the response is lost. */
  lostAnswers: Faults;
}

/** The only API key that works. */
export const API_KEY = "re_sandbox_development_only";
