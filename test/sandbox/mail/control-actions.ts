/** What POST /control can do to the mail stand-in; documented in ../control.ts. */
import { type ControlAction, controlError } from "../context.ts";
import type { MailService } from "./service.ts";

export function mailActions(service: MailService): Record<string, ControlAction> {
  return {
    mails: ({ to, musician }) => ({
      mails: service.mailbox.list({ to: optional(to), musician: optional(musician) }),
    }),
    mailLoseAnswer({ times, musician }) {
      service.lostAnswers.add({
        method: "POST",
        path: /^\/emails$/,
        musician: optional(musician) ?? null,
        times: typeof times === "number" ? times : 1,
        delayMs: 0,
        failure: { status: 0, body: "", contentType: "", headers: {} },
      });
      return undefined;
    },
    mailRefuse({ to }) {
      const address = optional(to);
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

function optional(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}
