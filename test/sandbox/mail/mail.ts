/** The mail stand-in: Resend's API, and a mailbox with the mails that were sent. */
import type { Hono } from "hono";
import { addActions, type SandboxContext } from "../context.ts";
import { controlError, faultTarget, numberOr, optionalText } from "../control-action.ts";
import { CONNECTION_CUT } from "../faults.ts";
import { apiRoutes } from "./api.ts";
import { createMailbox } from "./mailbox.ts";
import { mailboxPages } from "./pages.ts";

export function mailRoutes(
  context: SandboxContext,
  url: string | null,
): { api: Hono; pages: Hono } {
  const mailbox = createMailbox(context, url);
  addActions(context, {
    mails: ({ to }) => ({ mails: mailbox.list(optionalText(to)) }),
    mailLoseAnswer(input) {
      const target = faultTarget({ ...input, route: "POST /emails" });
      mailbox.lostAnswers.add({ ...target, delayMs: 0, failure: CONNECTION_CUT });
      return undefined;
    },
    mailRefuse({ to }) {
      mailbox.refused.add(String(to).toLowerCase());
      return undefined;
    },
    mailAllow({ to }) {
      mailbox.suppressed.delete(String(to).toLowerCase());
      return undefined;
    },
    async mailEvent({ to, type, bounce, at }) {
      const mail = mailbox.list(String(to)).at(-1);
      if (!mail) throw controlError(`no mail to ${String(to)}`);
      return mailbox.happen(mail, String(type), {
        bounce: String(bounce ?? "Permanent"),
        at: numberOr(at, context.now()),
      });
    },
    mailSign: ({ payload, timestamp, secret }) => ({
      ...mailbox.sign(String(payload), {
        timestamp: numberOr(timestamp, 0),
        ...(secret === undefined ? {} : { secret: String(secret) }),
      }),
    }),
  });
  context.links.push({
    href: "/mail",
    text: "Mailbox",
    note: "all mails that were sent, to any address",
  });
  return { api: apiRoutes(mailbox), pages: mailboxPages(mailbox) };
}
