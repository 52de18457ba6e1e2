/** The mail stand-in: Resend's API, and a mailbox that shows what was sent. */
import type { Hono } from "hono";
import type { SandboxContext } from "../context.ts";
import { createFaults } from "../faults.ts";
import { apiRoutes } from "./api.ts";
import { mailActions } from "./control-actions.ts";
import { createMailbox, ownerOf } from "./mailbox.ts";
import { mailboxPages } from "./pages.ts";
import { createRateLimit } from "./rate-limit.ts";
import type { MailService } from "./service.ts";

/**
 * The API, to be mounted at `apiPath`, and the pages under /mail; adds its control actions, resets
 * and links to the context.
 */
export function mailRoutes(context: SandboxContext, apiPath: string): { api: Hono; pages: Hono } {
  const service: MailService = {
    context,
    mailbox: createMailbox(context),
    rateLimit: createRateLimit(),
    refused: new Set(),
    lostAnswers: createFaults(),
  };
  for (const [name, action] of Object.entries(mailActions(service))) {
    context.actions.set(name, action);
  }
  context.resets.push((musician) => {
    service.lostAnswers.clear(musician);
    for (const address of service.refused) {
      if (musician === undefined || ownerOf(address) === musician) service.refused.delete(address);
    }
    if (musician === undefined) service.rateLimit.reset();
  });
  context.links.push({
    href: "/mail",
    text: "Mailbox",
    note: "every mail that was sent, whoever it was for",
  });
  return { api: apiRoutes(service, apiPath), pages: mailboxPages(service) };
}
