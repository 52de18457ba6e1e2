import {
  type HeadersFunction,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { Form, useLoaderData, useLocation } from "@remix-run/react";
import { type ComponentProps, useEffect, useState } from "react";
import { FiveMarks } from "~/components/five-marks";
import { useFocusAfter } from "~/components/form/use-focus-after";
import { publicHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { Mark } from "~/components/marks";
import { ratingScale } from "~/exchange/rating/scale";
import type { RouteHandle } from "~/http/route-handle";
import { viewerView } from "~/members/viewer.server";
import { Key, Sound } from "~/player/alone/sound";
import { answerVisit } from "./answer.server";
import tryCss from "./try.css";

const always = () => true;

export const handle: RouteHandle = {
  crawlers: "listed",
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "address" }] },
  scripts: always,
  playsFiles: always,
  // Lets the tune begin by itself in the page that a press has led to.
  playsSongs: always,
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: tryCss }];

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data?.head ?? errorHead(error);

export const headers: HeadersFunction = ({ loaderHeaders, errorHeaders }) =>
  errorHeaders ?? loaderHeaders;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const viewer = await context.viewer();
  const { status, secondsLeft, ...answer } = await answerVisit(
    query,
    context.secret,
    context.now(),
  );
  const origin = context.config.appOrigin;
  const head = publicHead(
    {
      path: "/try",
      title: "Try to cheat - Fivefold",
      description:
        "Our own tune, 20 seconds. Rate it too early, or ask for its end at once: the server holds both.",
    },
    origin,
  );
  return json(
    {
      ...answer,
      origin,
      head,
      viewer: viewer && viewerView(viewer),
    },
    {
      status,
      headers: secondsLeft > 0 ? { "Retry-After": `${secondsLeft}` } : {},
    },
  );
}

const seconds = 20;

const name = (
  <p className="tune-name">
    <strong>Our own tune</strong>
    <span className="quiet">Fivefold</span>
  </p>
);

export default function TryRoute() {
  const { viewer, origin, visit, at, said, note, scores } = useLoaderData<typeof loader>();
  const heading = useFocusAfter(scores !== null);
  const isAnswer = useLocation().search !== "";
  const [heard, setHeard] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each visit begins anew
  useEffect(() => setHeard(0), [visit]);
  return (
    <Page viewer={viewer} current={null}>
      <div className="try">
        <div className="prose">
          <h1>Try to cheat.</h1>
          <p className="lead">Our own tune, 20 seconds. Yours is the fifth rating.</p>
        </div>
        <div
          className="dare"
          onTimeUpdateCapture={({ target }) => setHeard((target as HTMLAudioElement).currentTime)}
        >
          {visit ? (
            <Tune key={visit} visit={visit} at={at} />
          ) : (
            <VisitForm className="sound">
              <Key type="submit" isPlaying={false} aria-label="Play our own tune" name="play" />
              {name}
              <p className="quiet">0:20</p>
            </VisitForm>
          )}
          {scores ? (
            <>
              <FiveMarks scores={scores} />
              <a className="button plain" href="/">
                Have yours heard
              </a>
            </>
          ) : (
            <VisitForm className="rate" visit={visit}>
              <fieldset disabled={!visit}>
                <legend className="visually-hidden">Your rating</legend>
                <div className="choices">
                  {ratingScale.map(({ score, label }) => (
                    <label key={score}>
                      <input type="submit" name="score" value={score} aria-label={label} />
                      <Mark score={score} />
                      <span>{label}</span>
                    </label>
                  ))}
                  {visit && heard ? (
                    <progress aria-label="Listened so far" max={seconds} value={heard} />
                  ) : null}
                </div>
                <button className="button plain small" type="submit" name="end">
                  Ask for the end at once
                </button>
              </fieldset>
            </VisitForm>
          )}
          <div className="said" role="status">
            {/* biome-ignore lint/a11y/noAutofocus: a document that answers is about this */}
            <h2 ref={heading} tabIndex={-1} autoFocus={isAnswer}>
              {said}
            </h2>
            <p className="quiet">{note}</p>
          </div>
        </div>
        <div className="prose">
          <p className="quiet">
            Here the server's clock and the bytes that it holds decide, so a pause passes. With a
            member's song it also counts the bytes that it has sent you.
          </p>
          {visit ? (
            <details className="panel">
              <summary>
                <h2>For engineers</h2>
              </summary>
              <pre>{`curl -sI "${origin}/try?visit=${visit}&score=4"

curl -s -r -65536 -m 3 -o end.wav -w "%{http_code}, %{size_download} bytes\\n" "${origin}/try.wav?visit=${visit}"`}</pre>
            </details>
          ) : null}
        </div>
      </div>
    </Page>
  );
}

export { PageError as ErrorBoundary };

/** With scripts it is answered in place, and the tune goes on. */
function VisitForm({
  visit,
  children,
  ...form
}: ComponentProps<typeof Form> & { visit?: string | null }) {
  return (
    <Form {...form} action="/try" replace preventScrollReset>
      {visit ? <input type="hidden" name="visit" value={visit} /> : null}
      {children}
    </Form>
  );
}

/** Without scripts each answer is a document, in which the tune goes on where the visit is. */
function Tune({ visit, at }: { visit: string; at: number }) {
  const [src] = useState(`/try.wav?visit=${visit}${at > 0 ? `#t=${at}` : ""}`);
  return (
    <Sound src={src} name="our own tune" seconds={seconds} begins>
      {name}
    </Sound>
  );
}
