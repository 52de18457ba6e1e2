import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import * as z from "zod";
import { isPassReason, maxReportLength } from "~/exchange/pass/pass";
import { passSong } from "~/exchange/pass/pass.server";
import { memberAction } from "~/http/member-action.server";
import { limitPosts } from "~/http/route-handle";
import { isLonger, plainText } from "~/platform/plain-text";
import { isRejection } from "~/platform/rejection";

export const handle = limitPosts("LIMIT_NORMAL");

export function loader({ params }: LoaderFunctionArgs) {
  return redirect(`/songs/${encodeURIComponent(params.songId ?? "")}/pass/reason`);
}

const passFields = z
  .object({
    reason: z.string().refine(isPassReason),
    words: z
      .string()
      .default("")
      .transform(plainText)
      .refine((words) => !isLonger(words, maxReportLength)),
  })
  .refine(({ reason, words }) => reason !== "report" || words.trim() !== "");

/** Passes on a song (rule 22). */
export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    fields: passFields,
    error: `Please choose a reason. If you report the song, say what is wrong in at most ${maxReportLength} characters.`,
    async run({ context, viewer, songId, fields }) {
      const services = { ...context, spotify: context.spotify(viewer) };
      const outcome = await passSong(services, viewer, { songId, ...fields });
      if (isRejection(outcome)) return outcome;
      return { ok: true, passed: fields.reason === "report" ? "report" : `song:${songId}` };
    },
    to: (_, { passed }) => `/?passed=${passed}`,
  });
}
