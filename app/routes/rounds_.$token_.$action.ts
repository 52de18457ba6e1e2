import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import * as z from "zod";
import { roundPath } from "~/exchange/round/round";
import { hostRound } from "~/exchange/rounds/host.server";
import { mailRounds } from "~/exchange/rounds/mails.server";
import {
  askExchange,
  handIn,
  leaveRound,
  takeSeat,
  writeOwnResult,
} from "~/exchange/rounds/member.server";
import { memberPost } from "~/http/member-action.server";
import { limitPosts, type RouteHandle } from "~/http/route-handle";
import { isRejection } from "~/platform/rejection";
import { howMade } from "~/sources/made";

const hostings = ["begin", "end", "remind"] as const;
const results = ["open", "show", "hide"] as const;

const names = ["seat", "hand-in", "leave", "exchange", ...hostings, ...results] as const;

type Action = (typeof names)[number];

export const handle: RouteHandle = {
  actions: Object.fromEntries(names.map((name) => [name, limitPosts("LIMIT_STRICT")])),
};

/** Whoever opens an action's address is led to the round. */
export async function loader({ params, context }: LoaderFunctionArgs): Promise<Response> {
  if (!known(params.action)) return context.leadNowhere(await context.viewer());
  return redirect(roundPath(encodeURIComponent(params.token ?? "")));
}

export async function action(args: ActionFunctionArgs): Promise<Response> {
  const action = known(args.params.action);
  return action ? posts[action](args) : args.context.leadNowhere(await args.context.viewer());
}

function known(asked = ""): Action | undefined {
  return names.find((name) => name === asked.toLowerCase());
}

const to = ({ token }: { token: string }) => roundPath(encodeURIComponent(token));
const back = (post: { token: string }) => ({ label: "Back to the round", href: to(post) });

type Posts<Name extends string> = Record<Name, ReturnType<typeof memberPost>>;

const posts: Posts<Action> = {
  /** Notes that one is about to hand in, and leads to where a song is chosen. */
  seat: memberPost({
    run: ({ services, viewer, token }) => takeSeat(services, viewer, token),
    to: "/?menu=addownsong",
    back,
  }),
  "hand-in": memberPost({
    fields: z
      .object({
        trackId: z.optional(z.string().regex(/^[0-9A-Za-z]{22}$/)),
        recording: z.optional(z.uuid()),
        made: z.enum(howMade).default("people"),
      })
      .transform(({ trackId, recording, made }, context) => {
        if (trackId && !recording) return { trackId, made };
        if (recording && !trackId) return { recordingId: recording, songId: null };
        context.addIssue("It names no song, or two.");
        return z.NEVER;
      }),
    error: "Choose a song, and say how it was made.",
    run: ({ services, viewer, token, fields: asked }) => handIn(services, viewer, { token, asked }),
    to,
    back,
  }),
  leave: memberPost({
    run: ({ services, viewer, token }) => leaveRound(services, viewer, token),
    to: "/rounds?left",
    back,
  }),
  exchange: memberPost({
    run: ({ services, viewer, token }) => askExchange(services, viewer, token),
    to,
    back,
  }),
  ...(Object.fromEntries(
    hostings.map((what) => [
      what,
      memberPost({
        async run({ services, viewer, token }) {
          const hosted = await hostRound(services, viewer, { token, what });
          // Nobody waits for the job's next run.
          if (!isRejection(hosted)) {
            services.waitUntil(mailRounds({ ...services, now: services.now() }));
          }
          return hosted;
        },
        to,
        back,
      }),
    ]),
  ) as Posts<(typeof hostings)[number]>),
  ...(Object.fromEntries(
    results.map((what) => [
      what,
      memberPost({
        run: ({ services, viewer, token }) => writeOwnResult(services, viewer, { token, what }),
        to: (post) => (what === "open" ? `${to(post)}?drawn` : to(post)),
        back,
      }),
    ]),
  ) as Posts<(typeof results)[number]>),
};
