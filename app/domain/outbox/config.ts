import type { Config } from "~/platform/env";
import type { MailSettings } from "./compose.server";

/** What the rendering of mails takes from the configuration. */
export function mailSettings(config: Config): MailSettings {
  const { appOrigin, operator, contactEmail, sessionSecret, mailBcc } = config;
  return { appOrigin, operator, contactEmail, linkSecret: sessionSecret, bcc: mailBcc };
}
