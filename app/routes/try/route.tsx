import {
  type HeadersFunction,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { type ReactNode, useEffect, useState } from "react";
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

interface Data {
  viewer: unknown;
  visit: string | null;
}

export const handle: RouteHandle<Data> = {
  crawlers: "listed",
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "address" }] },
  scripts: () => true,
  playsFiles: () => true,
  // Lets the tune begin by itself in the page that a press has led to.
  playsSongs: () => true,
  countsVisits: ({ viewer, visit }) => viewer === null && visit === null,
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: tryCss }];

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data?.head ?? errorHead(error);

export const headers: HeadersFunction = ({ loaderHeaders, errorHeaders }) =>
  errorHeaders ?? loaderHeaders;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const viewer = await context.viewer();
  const { status, secondsLeft, ...answer } = await answerVisit(context, query);
  const { appOrigin } = context.config;
  const page = {
    path: "/try",
    title: "Try to cheat - Fivefold",
    description:
      "Our own tune, 20 seconds. Rate it too early, or ask for its end at once: the server holds both.",
  } as const;
  return json(
    {
      ...answer,
      viewer: viewer && viewerView(viewer),
      origin: appOrigin,
      head: publicHead(page, appOrigin),
    },
    {
      status,
      headers: {
        ...(query.size > 0 && { "X-Robots-Tag": "noindex" }),
        ...(secondsLeft > 0 && { "Retry-After": `${secondsLeft}` }),
      },
    },
  );
}

const seconds = 20;

export default function TryRoute() {
  const { viewer, origin, visit, at, said, note, scores } = useLoaderData<typeof loader>();
  const heading = useFocusAfter(scores !== null);
  const [heard, setHeard] = useState(0);
  return (
    <Page viewer={viewer} current={null}>
      <div className="try" id="try">
        <div className="prose">
          <h1>Try to cheat.</h1>
          <p className="lead">Our own tune, 20 seconds. Yours is the fifth rating.</p>
        </div>
        <div
          className="dare"
          onTimeUpdateCapture={({ target }) => setHeard((target as HTMLAudioElement).currentTime)}
        >
          {scores ? (
            <FiveMarks scores={scores} />
          ) : (
            <>
              {visit ? (
                <Tune key={visit} visit={visit} at={at} />
              ) : (
                <VisitForm className="sound">
                  <Key type="submit" isPlaying={false} aria-label="Play our own tune" name="play" />
                  <Name />
                  <p className="quiet">0:20</p>
                </VisitForm>
              )}
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
                    {visit && heard > 0 ? (
                      <progress aria-label="Listened so far" max={seconds} value={heard} />
                    ) : null}
                  </div>
                  <button className="button plain small" type="submit" name="end">
                    Ask for the end at once
                  </button>
                </fieldset>
              </VisitForm>
            </>
          )}
          <div className="said" role="status">
            <h2 ref={heading} tabIndex={-1}>
              {said}
            </h2>
            <p className="quiet">{note}</p>
          </div>
          {scores ? (
            <VisitForm className="actions">
              <button className="button plain small" type="submit" name="play">
                Again
              </button>
              <Link to="/numbers">Count for yourself</Link>
            </VisitForm>
          ) : null}
        </div>
        <div className="prose">
          <p className="quiet">
            Here the server's clock and the bytes that it holds decide. In the exchange it also
            counts the bytes that it has sent you.
          </p>
          {visit ? <Lines origin={origin} visit={visit} /> : null}
        </div>
      </div>
    </Page>
  );
}

export { PageError as ErrorBoundary };

/** With scripts it is answered in place, and the tune goes on. */
function VisitForm({
  visit = null,
  className,
  children,
}: {
  visit?: string | null;
  className: string;
  children: ReactNode;
}) {
  // Asked again by a script, an address with a fragment would not be loaded.
  const [fragment, setFragment] = useState("#try");
  useEffect(() => setFragment(""), []);
  return (
    <Form className={className} action={`/try${fragment}`} replace preventScrollReset>
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
      <Name />
    </Sound>
  );
}

function Name() {
  return (
    <p className="tune-name">
      <strong>Our own tune</strong>
      <span className="quiet">Fivefold</span>
    </p>
  );
}

function Lines({ origin, visit }: { origin: string; visit: string }) {
  return (
    <details className="panel">
      <summary>
        <h2>For engineers</h2>
      </summary>
      <pre>
        <code>{`curl -sI "${origin}/try?visit=${visit}&score=4"`}</code>
      </pre>
      <pre>
        <code>{`curl -s -r -65536 -m 3 -o end.wav -w "%{http_code}, %{size_download} bytes\\n" "${origin}/try.wav?visit=${visit}"`}</code>
      </pre>
    </details>
  );
}
