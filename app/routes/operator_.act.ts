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
const ground = { law: z.literal("on").optional() };
const time = z.coerce.number().int().min(0);

/** The forms of the operator's page; `do` names the action of the button. */
const fields = z.discriminatedUnion("do", [
  z.object({
    do: z.enum(songDecisions),
    song: z.string(),
    seenAt: time,
    decidedAt: z.union([z.literal("").transform(() => null), time]),
    reason,
    ...ground,
  }),
  z.object({
    ...{ do: z.literal("lock"), user: z.string(), song: z.string().optional(), reason },
    ...ground,
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

/** Where the page says what was done: at the song, if it is about one. */
function whereSaid(form: Exclude<z.output<typeof fields>, { do: "look" }>): string {
  const target = new URLSearchParams({ done: form.do, about: targetOf(form) });
  const song = "song" in form ? form.song : undefined;
  return `/operator?${target}${song ? `#song-${encodeURIComponent(song)}` : ""}`;
}

function targetOf(form: Parameters<typeof whereSaid>[0]): string {
  switch (form.do) {
    case "send_again":
      return form.mail;
    case "unlock":
      return form.lock;
    case "dismiss_notice":
    case "uphold_notice":
      return form.notice;
    case "lock":
    case "export":
    case "delete":
      return form.user;
    default:
      return form.song;
  }
}

function groundOf({ law }: { law?: "on" | undefined }) {
  return law ? ("law" as const) : ("terms" as const);
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
  const outcome = requireAccepted(request, await act(form), { viewer, back });
  if (outcome) await forgetAtEdge(context.config.appOrigin, ...outcome.sharePaths);
  return jsonOrRedirect(request, { json: { ok: true }, to: whereSaid(form) });

  function act(asked: Exclude<z.output<typeof fields>, { do: "look" }>) {
    switch (asked.do) {
      case "send_again":
        return sendAgain(context, viewer, asked.mail);
      case "export":
        return mailExport(context, viewer, { userId: asked.user, reason: asked.reason });
      case "delete": {
        const services = { ...context, billing: context.billing() };
        return deletePerson(services, viewer, { userId: asked.user, reason: asked.reason });
      }
      case "lock":
        return lockOwner(context, viewer, {
          ...{ userId: asked.user, reason: asked.reason, ground: groundOf(asked) },
        });
      case "unlock":
        return unlockOwner(context, viewer, { lockId: asked.lock, reason: asked.reason });
      case "dismiss_notice":
      case "uphold_notice": {
        const { do: decision, notice: noticeId } = asked;
        return decideOnNotice(context, viewer, {
          noticeId,
          action: decision,
          reason: asked.reason,
        });
      }
      default: {
        const { do: decision, song: songId, ...seen } = asked;
        const rests = { ground: groundOf(asked) };
        return decideOnSong(context, viewer, { songId, action: decision, ...seen, ...rests });
      }
    }
  }
}
