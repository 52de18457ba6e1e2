/** The mail stand-in's control actions; ../control.ts documents them. */
import {
  type ControlAction,
  controlError,
  faultTarget,
  numberOr,
  oneOf,
  optionalText,
} from "../control-action.ts";
import { CONNECTION_CUT } from "../faults.ts";
import { happen } from "./feedback.ts";
import { MAIL_WEBHOOK_SECRET, type MailService } from "./service.ts";
import { BOUNCE_TYPES, MAIL_EVENTS } from "./webhooks.ts";

export function mailActions(service: MailService): Record<string, ControlAction> {
  return {
    mails: ({ to, musician }) => ({
      mails: service.mailbox.list({ to: optionalText(to), musician: optionalText(musician) }),
    }),
    mailLoseAnswer(input) {
      const target = faultTarget({ ...input, route: "POST /emails" });
      service.lostAnswers.add({ ...target, delayMs: 0, failure: CONNECTION_CUT });
      return undefined;
    },
    mailRefuse({ to }) {
      const address = optionalText(to);
      if (address === undefined) throw controlError("to is missing");
      service.refused.add(address.toLowerCase());
      return undefined;
    },
    async mailEvent({ to, type, bounce, at }) {
      const mail = service.mailbox.list({ to: optionalText(to) }).at(-1);
      if (!mail) throw controlError(`no mail to ${String(to)}`);
      return happen(service, mail, oneOf(type, MAIL_EVENTS), {
        ...(bounce === undefined ? {} : { bounce: oneOf(bounce, BOUNCE_TYPES) }),
        ...(at === undefined ? {} : { at: numberOr(at, 0) }),
      });
    },
    mailSign({ payload, id, timestamp, secret }) {
      return {
        ...service.webhooks.sign(String(payload), {
          ...(id === undefined ? {} : { id: String(id) }),
          ...(timestamp === undefined ? {} : { timestamp: numberOr(timestamp, 0) }),
          ...(secret === undefined ? {} : { secret: String(secret) }),
        }),
      };
    },
    mailWebhook({ url, secret }) {
      const address = optionalText(url);
      service.webhooks.endpoint =
        address === undefined
          ? null
          : { url: address, secret: optionalText(secret) ?? MAIL_WEBHOOK_SECRET };
      return undefined;
    },
    mailAllow({ to }) {
      service.suppressed.delete(String(to).toLowerCase());
      return undefined;
    },
    mailRateLimit({ limit, windowSeconds }) {
      if (!(Number(limit) >= 0 && Number(windowSeconds) > 0)) {
        throw controlError("limit and windowSeconds must be numbers");
      }
      service.rateLimit.set({ limit: Number(limit), windowSeconds: Number(windowSeconds) });
      return undefined;
    },
  };
}
