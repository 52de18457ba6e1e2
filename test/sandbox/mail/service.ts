/** What the parts of the mail stand-in share. */
import type { SandboxContext } from "../context.ts";
import type { Faults } from "../faults.ts";
import type { Mailbox } from "./mailbox.ts";
import type { RateLimit } from "./rate-limit.ts";

export interface MailService {
  context: SandboxContext;
  mailbox: Mailbox;
  rateLimit: RateLimit;
  /** Recipients who are refused by order, in lower case. */
  refused: Set<string>;
  /** Mails that are sent, but whose answers never arrive. */
  lostAnswers: Faults;
}

/** The only key the API takes. */
export const API_KEY = "re_sandbox_development_only";
