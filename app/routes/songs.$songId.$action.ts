import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import * as z from "zod";
import { confirmListen, startListen } from "~/exchange/listening/listening.server";
import { isPassReason, maxReportLength } from "~/exchange/pass/pass";
import { passSong } from "~/exchange/pass/pass.server";
import { giveReasons } from "~/exchange/rating/own-rating.server";
import { rateSong } from "~/exchange/rating/rate.server";
import { reasonBits } from "~/exchange/rating/reasons";
import { isScore, ratingLabel } from "~/exchange/rating/scale";
import {
  askForRelease,
  endRelease,
  endReleaseWish,
  giveRelease,
} from "~/exchange/release/release.server";
import { returnSong, withdrawSong } from "~/exchange/rotation/withdraw-and-return.server";
import { wishForListeners } from "~/exchange/submission/mix-wish.server";
import { forgetAtEdge } from "~/http/edge-cache";
import { memberPost } from "~/http/member-action.server";
import { withParameter } from "~/http/return-path";
import { limitPosts, type RouteHandle } from "~/http/route-handle";
import { hearsSpotify } from "~/members/hearing";
import { isLonger, plainText } from "~/platform/plain-text";
import { isRejection, reject } from "~/platform/rejection";
import { shareSong, unshareSong } from "~/results/share.server";
import { playErrors } from "~/sources/spotify/errors";
import { favoriteSong } from "~/sources/spotify/library/favorite.server";
import { playOnActiveDevice } from "~/sources/spotify/source.server";

const actions = {
  play: limitPosts("LIMIT_NORMAL"),
  listened: limitPosts("LIMIT_NORMAL"),
  rating: limitPosts("LIMIT_NORMAL"),
  reasons: limitPosts("LIMIT_NORMAL"),
  pass: limitPosts("LIMIT_NORMAL"),
  favorite: limitPosts("LIMIT_NORMAL"),
  unfavorite: limitPosts("LIMIT_NORMAL"),
  "release-wish": limitPosts("LIMIT_NORMAL"),
  "mix-wish": limitPosts("LIMIT_NORMAL"),
  release: limitPosts("LIMIT_STRICT"),
  unrelease: limitPosts("LIMIT_STRICT"),
  share: limitPosts("LIMIT_STRICT"),
  unshare: limitPosts("LIMIT_STRICT"),
  withdraw: limitPosts("LIMIT_STRICT"),
  resume: limitPosts("LIMIT_STRICT"),
};

type Action = keyof typeof actions;

export const handle: RouteHandle = { actions };

/** Where an action's address leads whoever opens it. */
const pages: Record<Action, string> = {
  play: "/",
  listened: "/",
  rating: "/",
  reasons: "/",
  pass: "/songs/:songId/pass/reason",
  favorite: "/",
  unfavorite: "/",
  "release-wish": "/rated",
  "mix-wish": "/ratings-of-my-songs",
  release: "/ratings-of-my-songs",
  unrelease: "/ratings-of-my-songs",
  share: "/ratings-of-my-songs",
  unshare: "/ratings-of-my-songs",
  withdraw: "/ratings-of-my-songs",
  resume: "/ratings-of-my-songs",
};

export async function loader({ params, context }: LoaderFunctionArgs): Promise<Response> {
  const action = known(params.action);
  if (!action) return context.leadNowhere(await context.viewer());
  return redirect(pages[action].replace(":songId", encodeURIComponent(params.songId ?? "")));
}

export async function action(args: ActionFunctionArgs): Promise<Response> {
  const { params, context } = args;
  const action = known(params.action);
  return action ? posts[action](args) : context.leadNowhere(await context.viewer());
}

/** Addresses are read in any letter case. */
function known(asked = ""): Action | null {
  const name = asked.toLowerCase();
  return Object.hasOwn(actions, name) ? (name as Action) : null;
}

const aspects = z
  .string()
  .default("")
  .transform((list) => (list === "" ? [] : list.split(",")));

const wrongReasons =
  "Choose up to three, each as something you liked or something that could be better.";

const posts: Record<Action, ReturnType<typeof memberPost>> = {
  /** PLAY SONG: opens a listen and, unless the browser names a device of its own, starts playback. */
  play: memberPost({
    fields: z.object({ deviceId: z.string().optional() }),
    run({ services, viewer, songId, fields: { deviceId } }) {
      const startHere = (trackId: string) => playOnActiveDevice(services.spotify, trackId);
      // Spotify itself then says what is missing, and no listen opens that nothing could confirm.
      const isHere = deviceId === undefined || !hearsSpotify(viewer);
      return startListen(services, viewer, { songId, startPlayback: isHere ? startHere : null });
    },
    to: "/",
    // What helps with a song that Spotify may hide from its listener is to pass on it.
    back: ({ songId }, { error }) =>
      error === playErrors.hidden || error === playErrors.mayBeHidden
        ? { label: "I can't rate this", href: `/songs/${songId}/pass/reason` }
        : undefined,
  }),
  listened: memberPost({
    run: ({ services, viewer, songId }) => confirmListen(services, viewer, songId),
    to: "/",
  }),
  rating: memberPost({
    fields: z.object({ score: z.string().regex(/^\d$/).transform(Number).refine(isScore) }),
    error: "Choose one of the ratings.",
    run({ services, viewer, songId, fields: { score } }) {
      const { ratingMailWaitMs: mailWaitMs } = services.config;
      return rateSong({ ...services, mailWaitMs }, viewer, { songId, score });
    },
    json: ({ fields: { score } }) => ({ ok: true, score, label: ratingLabel(score) }),
    to: ({ songId }) => ratedPage(songId),
  }),
  /** Saves the reasons of a rating: `liked` and `improve`, each repeated for each aspect. */
  reasons: memberPost({
    fields: z.object({ liked: aspects, improve: aspects }),
    error: wrongReasons,
    lists: ["liked", "improve"],
    async run({ services, viewer, songId, fields }) {
      const bits = reasonBits(fields);
      if (bits === null) return reject(422, wrongReasons);
      return giveReasons(services, viewer, { songId, bits });
    },
    to: ({ songId }) => ratedPage(songId),
    back: ({ songId }) => ({ label: "Back to your rating", href: ratedPage(songId) }),
  }),
  /** Passes on a song (rule 22, passes). */
  pass: memberPost({
    fields: z
      .object({
        reason: z.string().refine(isPassReason),
        words: z
          .string()
          .default("")
          .transform(plainText)
          .refine((words) => !isLonger(words, maxReportLength)),
      })
      .refine(({ reason, words }) => reason !== "report" || words.trim() !== ""),
    error: `Choose a reason. If you report the song, say what is wrong in at most ${maxReportLength} characters.`,
    async run({ services, viewer, songId, fields }) {
      const outcome = await passSong(services, viewer, { songId, ...fields });
      if (isRejection(outcome)) return outcome;
      return { ok: true, passed: fields.reason === "report" ? "report" : `song:${songId}` };
    },
    to: (_, { passed }) => `/?passed=${passed}`,
  }),
  favorite: favoritePost(true),
  unfavorite: favoritePost(false),
  "release-wish": memberPost({
    fields: z.object({ wanted: z.enum(["true", "false"]), next: z.string().optional() }),
    error: "Say whether you want this e-mail.",
    run({ services, viewer, songId, fields: { wanted } }) {
      const write = wanted === "true" ? askForRelease : endReleaseWish;
      return write(services, viewer, songId);
    },
    to: ({ next }) => next,
    back: ({ next }) => ({ label: "Back", href: next }),
  }),
  "mix-wish": memberPost({
    fields: z.object({ wanted: z.enum(["true", "false"]) }),
    error: "Say whether you want this e-mail.",
    run: ({ services, viewer, songId, fields: { wanted } }) =>
      wishForListeners(services, viewer, { songId, wanted: wanted === "true" }),
    to: ({ songId }) => songPage(songId, "#mix"),
    back: ({ songId }) => ({ label: "Back to the song", href: songPage(songId, "#mix") }),
  }),
  release: memberPost({
    fields: z.object({ link: z.string() }),
    error: "Paste the song's link.",
    run: ({ services, viewer, songId, fields: { link } }) =>
      giveRelease(services, viewer, { songId, link }),
    to: ({ songId }) => songPage(songId, "#release"),
    back: ({ songId }) => ({ label: "Back to the song", href: songPage(songId, "#release") }),
  }),
  unrelease: memberPost({
    run: ({ services, viewer, songId }) => endRelease(services.db, viewer, songId),
    to: ({ songId }) => songPage(songId, "#release"),
  }),
  share: memberPost({
    async run({ services, viewer, songId }) {
      const { appOrigin } = services.config;
      const shared = await shareSong(services, viewer, songId);
      if (isRejection(shared)) return shared;
      await forgetAtEdge(appOrigin, shared.path);
      return { ok: true, address: appOrigin + shared.path };
    },
    to: ({ songId }) => songPage(songId, "#share"),
  }),
  unshare: memberPost({
    async run({ services, viewer, songId }) {
      const unshared = await unshareSong(services.db, viewer, songId);
      if (isRejection(unshared)) return unshared;
      if (unshared.path) await forgetAtEdge(services.config.appOrigin, unshared.path);
      return null;
    },
    to: ({ songId }) => songPage(songId, "#share"),
  }),
  withdraw: memberPost({
    run: ({ services, viewer, songId }) => withdrawSong(services, viewer, songId),
    to: ({ songId }) => songPage(songId),
  }),
  resume: memberPost({
    run: ({ services, viewer, songId }) => returnSong(services, viewer, songId),
    to: ({ songId }) => songPage(songId),
    back: { label: "Back to my ratings", href: "/ratings-of-my-songs" },
  }),
};

function favoritePost(saved: boolean) {
  return memberPost({
    fields: z.object({ next: z.string().optional() }),
    run: ({ services, viewer, songId }) => favoriteSong(services, viewer, { songId, saved }),
    to: ({ next, songId }) => withParameter(next, "favorite", songId),
    back: ({ next }) => ({ label: "Back", href: next }),
  });
}

function ratedPage(songId: string): string {
  return `/?rated=${encodeURIComponent(songId)}`;
}

function songPage(songId: string, place = ""): string {
  return `/ratings-of-my-songs/${encodeURIComponent(songId)}${place}`;
}
