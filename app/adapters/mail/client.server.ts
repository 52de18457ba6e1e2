import type { Caller } from "~/adapters/caller";
import type { MailProviderConfig } from "~/platform/env";
import { createCloudflareMailer } from "./cloudflare.server";
import type { Mailer } from "./mailer";
import { createResend } from "./resend.server";

/**
 * The mail provider that the configuration chooses.
 * @throws Error if that is the platform's binding and there is none. `readConfig` checks for it.
 */
export function createMailer(
  { sender, resend }: MailProviderConfig,
  caller: Caller,
  binding?: SendEmail,
): Mailer {
  if (resend) return createResend(resend, sender, caller);
  if (!binding) throw new Error("There is no binding EMAIL to send mails with.");
  return createCloudflareMailer(binding, sender);
}
