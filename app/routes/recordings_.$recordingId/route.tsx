import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { type SyntheticEvent, useState } from "react";
import { ButtonForm } from "~/components/form/button-form";
import { postForm } from "~/components/form/post-form";
import { HandInForm } from "~/components/hand-in-form";
import { privateHead } from "~/components/head/head";
import { LoginPrompt } from "~/components/layout/login-prompt";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { Notice } from "~/components/notice";
import { Cover, coverOf } from "~/components/song/cover";
import { DeleteUpload } from "~/components/song/delete-upload";
import { MadeMark } from "~/components/song/song-title";
import { tintOfDrawing } from "~/covers/cover-tints.server";
import { loadDraft } from "~/exchange/submission/draft.server";
import type { RouteHandle } from "~/http/route-handle";
import { viewerView } from "~/members/viewer.server";
import { Sound } from "~/player/alone/sound";
import { isSoundAt } from "~/player/sound";
import { recordingErrors } from "~/sources/files/submittable.server";
import addSongCss from "~/styles/add-song.css";
import { RenameDraft } from "./rename-draft";

export const handle: RouteHandle<Awaited<ReturnType<typeof loader>>> = {
  returnTarget: true,
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "session" }] },
  scripts: ({ viewer }) => viewer !== null,
  playsSongs: ({ viewer }) => viewer !== null,
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: addSongCss }];

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data?.head ?? errorHead(error);

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const recordingId = params.recordingId ?? "";
  const head = privateHead("Your upload - Fivefold");
  const loaded = context.sessionId
    ? await loadDraft(context, { sessionId: context.sessionId, recordingId })
    : null;
  if (!loaded) {
    context.noteEndedLogin();
    const { offers } = context.config;
    return { viewer: null, recordingId, ended: context.hasEndedLogin(), offers, head };
  }
  const { viewer, draft, ...question } = loaded;
  const view = viewerView(viewer);
  if (!draft) {
    const text =
      "You have no upload at this address. One that is not submitted within a day is deleted.";
    const action = { label: "Upload a song", href: "/?menu=addownsong" };
    throw Response.json({ viewer: view, title: "Nothing here", text, action }, { status: 404 });
  }
  const { title, artist, made, state, drawnFrom, coverType, durationMs, hearing } = draft;
  return {
    viewer: view,
    draft: {
      ...{ recordingId, title, artist, made },
      cover: coverType
        ? { artUrl: `/recordings/${recordingId}/cover`, smallerArt: {} }
        : coverOf(drawnFrom),
      isSubmitted: state === "submitted",
      hearing,
      seconds: durationMs / 1000,
      /** Of a drawn cover; a picture's is read once it is submitted. */
      tint: coverType ? null : tintOfDrawing(drawnFrom),
    },
    ...question,
    texts: { unheard: recordingErrors.unheard, silent: recordingErrors.silent },
    /** The same file was here already. */
    isAgain: new URL(request.url).searchParams.has("again"),
    submissionKey: crypto.randomUUID(),
    head,
  };
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

export default function Recording() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <Page viewer={loaded.viewer} current={null} song={loaded.viewer ? loaded.draft : undefined}>
      {loaded.viewer ? (
        <DraftPage {...loaded} />
      ) : (
        <LoginPrompt
          heading="Your upload"
          ended={loaded.ended}
          offers={loaded.offers}
          next={`/recordings/${encodeURIComponent(loaded.recordingId)}`}
        >
          <p className="lead">Here you will hear what you have uploaded, and submit it.</p>
        </LoginPrompt>
      )}
    </Page>
  );
}

export { PageError as ErrorBoundary };

/**
 * What is wrong with the sound: the line that brings it, or the browser, which makes nothing of it. The latter is told
 * to the server, so that nobody submits what they cannot hear. "none" once it has played.
 */
function useFault(path: string) {
  const [fault, setFault] = useState<"line" | "sound" | "none" | null>(null);
  async function onError({ currentTarget }: SyntheticEvent<HTMLAudioElement>) {
    const isOfBrowser = (currentTarget.error?.code ?? 0) >= MediaError.MEDIA_ERR_DECODE;
    if (!isOfBrowser || !(await isSoundAt(currentTarget.src))) return setFault("line");
    setFault("sound");
    await postForm(`${path}/silent`);
  }
  return { fault, onError, onPlaying: () => setFault("none") };
}

function DraftPage(loaded: Loaded & { viewer: object }) {
  const { draft, mixOf, terms, wait, obstacle, round, isAgain, submissionKey, texts } = loaded;
  const { recordingId, title, artist, cover, isSubmitted } = draft;
  const path = `/recordings/${recordingId}`;
  const { fault, onError, onPlaying } = useFault(path);
  const rename = <RenameDraft path={path} title={title} artist={artist} made={draft.made} />;
  const isSilent = fault === "sound" || (draft.hearing === "silent" && fault !== "none");
  return (
    <div className="draft">
      <Cover track={cover} first="min(28rem, 45vw)" />
      <div className="prose">
        <h1>
          <span>{round && !round.hasSong ? "Hand in" : "Submit"}</span> “<bdi>{title}</bdi>”?
        </h1>
        <p className="quiet">
          <bdi>{artist}</bdi>
        </p>
        <MadeMark track={draft} />
        {isAgain && !isSubmitted ? (
          <Notice tone="info">
            You had uploaded this file before. This upload has taken that one's place.
          </Notice>
        ) : null}
        {mixOf ? (
          <p className="lead">
            A new mix of{" "}
            <Link to={`/ratings-of-my-songs/${encodeURIComponent(mixOf.songId)}`}>
              <bdi>{mixOf.title}</bdi>
            </Link>
          </p>
        ) : null}
        <Sound
          src={`${path}/audio`}
          name="your recording"
          seconds={draft.seconds}
          onError={onError}
          onPlaying={onPlaying}
        />
        {fault === "line" ? (
          <Notice tone="error">
            The sound could not be loaded. Check your connection, and load this page again.
          </Notice>
        ) : null}
        {draft.made === null ? (
          rename
        ) : isSilent && !isSubmitted ? (
          <Notice tone="error">{texts.silent}</Notice>
        ) : round && (obstacle !== null || !round.hasSong) ? (
          <>
            {draft.hearing === "heard" || fault === "none" ? null : <p>{texts.unheard}</p>}
            <HandInForm round={round} song={{ recording: recordingId }} />
          </>
        ) : obstacle === null ? (
          <>
            <p>{terms.gain}</p>
            {terms.pending ? <p>{terms.pending}</p> : null}
            <p>{terms.cost}</p>
            <p className="quiet">{wait}</p>
            {draft.hearing === "heard" || fault === "none" ? null : <p>{texts.unheard}</p>}
            <ButtonForm
              // Once it was heard, it does not ask for that any more.
              key={fault}
              action="/submissions"
              fields={{
                recording: recordingId,
                key: submissionKey,
                ...(mixOf ? { song: mixOf.songId } : {}),
              }}
              to={({ submissionId }) => `/?menu=songaddedtopool&submission=${submissionId}`}
              accented
            >
              {mixOf ? "Submit this mix" : "Submit your song"}
            </ButtonForm>
          </>
        ) : (
          <Notice tone="info">{obstacle}</Notice>
        )}
        {round?.hasSong && obstacle === null && !isSilent && draft.made ? (
          <HandInForm round={round} song={{ recording: recordingId }} />
        ) : null}
        {isSubmitted ? null : (
          <>
            {draft.made === null ? null : rename}
            <p className="quiet">
              Only you can hear it until you submit it. What is not submitted within a day is
              deleted.
            </p>
            <DeleteUpload recordingId={recordingId} title={title} next="/?menu=addownsong" />
          </>
        )}
        <Link to="/">take me Back to the Carousel</Link>
      </div>
    </div>
  );
}
