import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { submitSong } from "~/exchange/submission/submit.server";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";

export const handle = limitPosts("LIMIT_STRICT");

export const loader = leadTo("/?menu=addownsong");

const submissionFields = z.object({
  /** Spotify's ids are 22 base-62 characters. */
  trackId: z.string().regex(/^[0-9A-Za-z]{22}$/),
  /** Identifies the form, so that pressing twice submits once. Without it, every call counts. */
  key: z.uuid().default(() => crypto.randomUUID()),
});

export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    fields: submissionFields,
    error: "Please choose a song from the search results.",
    run({ context, viewer, fields: { trackId, key } }) {
      const services = { ...context, spotify: context.spotify(viewer) };
      // One form offers many songs: going back and choosing another one is a new submission.
      return submitSong(services, viewer, { trackId, requestKey: `${key}:${trackId}` });
    },
    json: (_, submitted) => ({ ok: true, ...submitted }),
    to: (_, { submissionId }) => `/?menu=songaddedtopool&submission=${submissionId}`,
  });
}
