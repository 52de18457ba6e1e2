import type { Config } from "~/platform/env";
import type { MailConfig } from "./compose.server";

/** What the rendering of mails takes from the configuration. */
export function mailConfig(config: Config): MailConfig {
  const { appOrigin, operator, contactEmail, sessionSecret, mailBcc } = config;
  return { appOrigin, operator, contactEmail, linkSecret: sessionSecret, bcc: mailBcc };
}
