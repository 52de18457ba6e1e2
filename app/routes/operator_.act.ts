import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { forgetAtEdge } from "~/http/edge-cache";
import {
  jsonOrRedirect,
  leadTo,
  requireAccepted,
  requireFields,
  requireFreshLogin,
  requireViewer,
} from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { decideOnSong, lockOwner, unlockOwner } from "~/operator/decide.server";
import { maxReasonLength, songDecisions } from "~/operator/decisions";
import { sendAgain } from "~/operator/mails.server";
import { noticeDecisions } from "~/operator/notice";
import { decideOnNotice } from "~/operator/notice.server";
import { deletePerson, lookForPeople, mailExport } from "~/operator/people.server";
import { isLonger, plainText } from "~/platform/plain-text";

export const handle: RouteHandle = {
  forOperators: true,
  rateLimits: { POST: [{ limiter: "LIMIT_NORMAL", per: "session" }] },
};

export const loader = leadTo("/operator");

const back = { label: "Back to the operator's page", href: "/operator" };

const reason = z
  .string()
  .transform(plainText)
  .refine((words) => words !== "" && !isLonger(words, maxReasonLength));
const ground = z.enum(["law", "terms"]).default("terms");
const time = z.coerce.number().int().min(0);

/** The forms of the operator's page; `do` names the action of the button. */
const fields = z.discriminatedUnion("do", [
  z.object({
    do: z.enum(songDecisions),
    song: z.string(),
    seenAt: time,
    decidedAt: z.union([z.literal("").transform(() => null), time]),
    reason,
    ground,
  }),
  z.object({
    ...{ do: z.literal("lock"), user: z.string(), song: z.string().optional(), reason, ground },
  }),
  z.object({ do: z.enum(noticeDecisions), notice: z.string(), reason }),
  z.object({ do: z.literal("unlock"), lock: z.string(), song: z.string().optional(), reason }),
  z.object({ do: z.literal("send_again"), mail: z.string() }),
  z.object({
    do: z.literal("look"),
    person: z.string().transform(plainText).pipe(z.string().min(1)),
  }),
  z.object({ do: z.literal("export"), user: z.string(), reason }),
  z.object({ do: z.literal("delete"), user: z.string(), reason, sure: z.literal("on") }),
]);

type Form = Exclude<z.output<typeof fields>, { do: "look" }>;

/** The id of what an action is about. */
function targetOf(form: Form): string {
  if ("mail" in form) return form.mail;
  if ("lock" in form) return form.lock;
  if ("notice" in form) return form.notice;
  return "user" in form ? form.user : form.song;
}

/** Where the page says what was done: at the song, if it is about one. */
function whereSaid(form: Form): string {
  const target = new URLSearchParams({ done: form.do, about: targetOf(form) });
  const song = "song" in form ? form.song : undefined;
  return `/operator?${target}${song ? `#song-${encodeURIComponent(song)}` : ""}`;
}

/** Carries out an operator's action. Requires a login within the last hour. */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  await requireFreshLogin({ request, context }, viewer, "/operator?again");
  const error = `Fill in what the form asks for, with a reason of at most ${maxReasonLength} characters, and confirm what cannot be undone.`;
  const form = await requireFields(request, fields, { error, viewer, back });
  if (form.do === "look") {
    const at = await lookForPeople(context, viewer, form.person);
    const to = at === null ? "/operator?nobody#people" : `/operator?look=${at}#people`;
    return jsonOrRedirect(request, { json: { look: at }, to });
  }
  const asked = { ...form, target: targetOf(form) };
  const outcome = requireAccepted(request, await act(asked), { viewer, back });
  if (outcome) await forgetAtEdge(context.config.appOrigin, ...outcome.sharePaths);
  return jsonOrRedirect(request, { json: { ok: true }, to: whereSaid(form) });

  function act(its: Form & { target: string }) {
    switch (its.do) {
      case "send_again":
        return sendAgain(context, viewer, its);
      case "export":
        return mailExport(context, viewer, its);
      case "delete":
        return deletePerson({ ...context, billing: context.billing() }, viewer, its);
      case "lock":
        return lockOwner(context, viewer, its);
      case "unlock":
        return unlockOwner(context, viewer, its);
      case "dismiss_notice":
      case "uphold_notice":
        return decideOnNotice(context, viewer, its);
      default:
        return decideOnSong(context, viewer, its);
    }
  }
}
