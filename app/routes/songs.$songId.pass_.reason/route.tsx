import {
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { usePost } from "~/components/form/use-post";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { Notice } from "~/components/notice";
import { Cover } from "~/components/song/cover";
import { SongTitle } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import { loadPass } from "~/exchange/pass/pass.server";
import { requireViewer } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { viewerView } from "~/members/viewer.server";
import addSongCss from "~/styles/add-song.css";

export const handle: RouteHandle = {
  scripts: () => true,
  playsSongs: () => true,
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: addSongCss }];

export const meta: MetaFunction = ({ error }) =>
  error ? errorHead(error) : privateHead("I can't rate this - Fivefold");

/**
 * The data of the question why a song cannot be rated. Redirects to the carousel if there is nothing to ask,
 * for instance after Back.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const asked = await loadPass(context, viewer, params.songId ?? "");
  if (!asked) throw redirect("/");
  return { viewer: viewerView(viewer), ...asked };
}

export default function PassRoute() {
  return (
    <Page viewer={useLoaderData<typeof loader>().viewer} current="carousel">
      <Pass />
    </Page>
  );
}

export { PageError as ErrorBoundary };

function Pass() {
  const { songId, track, passed, obstacle, left, reasons } = useLoaderData<typeof loader>();
  const { busy, error, onSubmit } = usePost(({ passed }) => `/?passed=${passed}`);
  const canReport = reasons.some(({ reason }) => reason === "report");
  return (
    <div className="add-song">
      <h1>I can't rate this</h1>
      <div className="song compact">
        <Cover track={track} first="5.5rem" />
        <h2>
          <SongTitle track={track} />
        </h2>
      </div>
      {obstacle ? <Notice tone="info">{obstacle}</Notice> : null}
      {reasons.length > 0 ? (
        <form
          className="add-song"
          method="post"
          action={`/songs/${songId}/pass`}
          onSubmit={onSubmit}
        >
          <p>
            {`${
              passed
                ? "You have passed on this song. You can still report it."
                : obstacle
                  ? "You can still report the song. It then leaves your list for good, and no other takes its place."
                  : "The song leaves your list for good, and another one takes its place if there is one. You neither gain nor lose by it."
            } Its owner is not told.`}
          </p>
          <div className="rating">
            <fieldset>
              <legend>Why can't you rate it?</legend>
              {reasons.map(({ reason, label }) => (
                <label key={reason}>
                  <input type="radio" name="reason" value={reason} required />
                  <span>{label}</span>
                </label>
              ))}
            </fieldset>
          </div>
          {canReport ? (
            <p className="field">
              <label htmlFor="words">If you report it: what is wrong?</label>
              <input id="words" name="words" autoComplete="off" />
            </p>
          ) : null}
          <p className="quiet">
            {(canReport ? "A report goes only to the people who run Fivefold. " : "") +
              (passed || obstacle ? "" : left)}
          </p>
          <button className="button" type="submit" aria-disabled={busy || undefined}>
            {busy ? "Sending..." : passed ? "Report it" : "Take it off my list"}
          </button>
          {error ? <Notice tone="error">{error}</Notice> : null}
        </form>
      ) : null}
      <Link className="button plain" to="/">
        Back to the Carousel
      </Link>
      <SpotifyCredit songs={[track]} />
    </div>
  );
}
