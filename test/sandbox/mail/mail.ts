/** The mail stand-in: Resend's API, and a mailbox with the mails that were sent. */
import type { Hono } from "hono";
import { addActions, type SandboxContext } from "../context.ts";
import { createFaults } from "../faults.ts";
import type { Endpoint } from "../stripe/webhooks.ts";
import { apiRoutes } from "./api.ts";
import { mailActions } from "./control-actions.ts";
import { createMailbox, musicianOfRecipient } from "./mailbox.ts";
import { mailboxPages } from "./pages.ts";
import { createRateLimit } from "./rate-limit.ts";
import { MAIL_WEBHOOK_SECRET, type MailService } from "./service.ts";
import { createMailWebhooks } from "./webhooks.ts";

/**
 * The API, which is mounted at `apiPath`, and the pages under /mail. Events go to `webhook`. Adds the stand-in's control
 * actions, resets and links to the context.
 */
export function mailRoutes(
  context: SandboxContext,
  apiPath: string,
  webhook: Endpoint | null,
): { api: Hono; pages: Hono } {
  const service: MailService = {
    context,
    mailbox: createMailbox(context),
    rateLimit: createRateLimit(),
    refused: new Set(),
    suppressed: new Set(),
    webhooks: createMailWebhooks(context, webhook, MAIL_WEBHOOK_SECRET),
    lostAnswers: createFaults(),
  };
  addActions(context, mailActions(service));
  context.resets.push((musician) => {
    service.lostAnswers.clear(musician);
    for (const addresses of [service.refused, service.suppressed]) {
      for (const address of addresses) {
        if (musician === undefined || musicianOfRecipient(address) === musician) {
          addresses.delete(address);
        }
      }
    }
    if (musician !== undefined) return;
    service.rateLimit.reset();
    service.webhooks.reset();
  });
  context.links.push({
    href: "/mail",
    text: "Mailbox",
    note: "all mails that were sent, to any address",
  });
  return { api: apiRoutes(service, apiPath), pages: mailboxPages(service) };
}
