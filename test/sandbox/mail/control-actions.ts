/** The mail stand-in's control actions; ../control.ts documents them. */
import { type ControlAction, controlError, faultTarget, optionalText } from "../control-action.ts";
import { CONNECTION_CUT } from "../faults.ts";
import type { MailService } from "./service.ts";

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
    mailRateLimit({ limit, windowSeconds }) {
      if (!(Number(limit) >= 0 && Number(windowSeconds) > 0)) {
        throw controlError("limit and windowSeconds must be numbers");
      }
      service.rateLimit.set({ limit: Number(limit), windowSeconds: Number(windowSeconds) });
      return undefined;
    },
  };
}
