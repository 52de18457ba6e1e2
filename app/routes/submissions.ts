import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { submitSong } from "~/exchange/submission/submit.server";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";
import { howMade } from "~/sources/made";

export const handle = limitPosts("LIMIT_STRICT");

export const loader = leadTo("/?menu=addownsong");

const submissionFields = z
  .object({
    /** Spotify's ids are 22 base-62 characters. */
    trackId: z.optional(z.string().regex(/^[0-9A-Za-z]{22}$/)),
    /** An own recording that has been uploaded, and the song that it is a new mix of. */
    recording: z.optional(z.uuid()),
    song: z.optional(z.string().min(1)),
    /** Of a track. An upload has said it before. */
    made: z.enum(howMade).default("people"),
    /** Identifies the form, so that pressing twice submits once. Without it, every call counts. */
    key: z.uuid().default(() => crypto.randomUUID()),
  })
  .transform(({ trackId, recording, song, made, key }, context) => {
    // One form offers many songs: going back and choosing another one is a new submission.
    if (trackId && !recording && !song) return { trackId, made, requestKey: `${key}:${trackId}` };
    if (recording && !trackId) {
      return { recordingId: recording, songId: song ?? null, requestKey: `${key}:${recording}` };
    }
    context.addIssue("It names no song, or two.");
    return z.NEVER;
  });

export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    fields: submissionFields,
    error: "Choose a song from the search results, and say how it was made.",
    run({ services, viewer, fields }) {
      return submitSong(services, viewer, fields);
    },
    json: (_, submitted) => ({ ok: true, ...submitted }),
    to: (_, { submissionId }) => `/?menu=songaddedtopool&submission=${submissionId}`,
  });
}
