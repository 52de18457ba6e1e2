/** Which sender may send to whom. */
import { senderRefused } from "./errors.ts";
import { addressIn, type Message, recipients } from "./message.ts";
import { ACCOUNT_ADDRESS, TEST_DOMAIN, UNVERIFIED_DOMAIN } from "./service.ts";

/** Throws Resend's 403 if the sender's domain is not verified, or may only send tests. */
export function checkSender(message: Message): void {
  const domain = addressIn(message.from)?.split("@")[1]?.toLowerCase();
  if (domain === UNVERIFIED_DOMAIN) {
    throw senderRefused(
      `The ${domain} domain is not verified. Please, add and verify your domain on https://resend.com/domains`,
    );
  }
  if (domain === TEST_DOMAIN && recipients(message).some((to) => to !== ACCOUNT_ADDRESS)) {
    throw senderRefused(
      `You can only send testing emails to your own email address (${ACCOUNT_ADDRESS}). To send emails to other recipients, please verify a domain at resend.com/domains, and change the \`from\` address to an email using this domain.`,
    );
  }
}
