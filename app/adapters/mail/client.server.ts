import { createCloudflareMailer } from "./cloudflare.server";
import type { Mailer, MailSender } from "./mailer";
import { createResend, type ResendParts } from "./resend.server";

/** What the configuration says of mails. */
export interface MailParts {
  sender: MailSender;
  /** Whose HTTP API sends them; null where the platform's binding does. */
  resend: ResendParts | null;
}

/**
 * The provider that the configuration chooses.
 * @throws Error where it is the binding and there is none; the configuration is checked for that.
 */
export function createMailer({ sender, resend }: MailParts, binding?: SendEmail): Mailer {
  if (resend) return createResend(resend, sender);
  if (!binding) throw new Error("There is no binding EMAIL to send mails with.");
  return createCloudflareMailer(binding, sender);
}
