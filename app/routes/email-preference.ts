import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { withParameter } from "~/http/return-path";
import { limitPosts } from "~/http/route-handle";
import { ratingMailRhythms } from "~/mailing/email-preferences";
import { savePreferences } from "~/mailing/email-preferences.server";

export const handle = limitPosts("LIMIT_NORMAL");

export const loader = leadTo("/ratings-of-my-songs");

const wanted = z
  .enum(["true", "false"])
  .transform((value) => value === "true")
  .optional();
const preferenceFields = z
  .object({
    receiveRatingEmails: wanted,
    receiveSubscriptionEmails: wanted,
    ratingMailRhythm: z.enum(ratingMailRhythms).optional(),
    next: z.string().optional(),
  })
  .refine(({ next: _, ...choice }) => Object.keys(choice).length > 0);

/**
 * Saves at least one of the user's choices about mails. A field that is left out stays as it is; for an
 * unchecked box, a hidden field before it says "false".
 */
export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    fields: preferenceFields,
    error: "Choose which of these e-mails you want, and how often.",
    async run({ context, viewer, fields: { next: _, ...choice } }) {
      const { db, mailQueue, secret } = context;
      const services = { db, mailQueue, secret, now: context.now() };
      return (await savePreferences(services, viewer, choice)) ?? { ok: true, ...choice };
    },
    to: ({ next }) => withParameter(next, "saved", "1"),
    back: ({ next }) => ({ label: "Back", href: next }),
  });
}
