import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { usePost } from "~/components/form/use-post";
import { privateHead } from "~/components/head/head";
import { LoginPrompt } from "~/components/layout/login-prompt";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { Notice } from "~/components/notice";
import { deadlines, listenDays, ofAll, roundPath, seatChoices } from "~/exchange/round/round";
import { type OwnRound, roundsOf } from "~/exchange/rounds/view.server";
import type { RouteHandle } from "~/http/route-handle";
import { isAmong } from "~/members/identity";
import { viewerView } from "~/members/viewer.server";
import { dayAndHour } from "~/platform/dates";
import { inWords } from "~/platform/text";
import roundsCss from "./rounds.css";

export const handle: RouteHandle<Awaited<ReturnType<typeof loader>>> = {
  crawlers: "disallowed",
  returnTarget: true,
  scripts: ({ viewer }) => viewer !== null,
  playsSongs: ({ viewer }) => viewer !== null,
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: roundsCss }];

export const meta: MetaFunction = ({ error }) =>
  error ? errorHead(error) : privateHead("Rounds - Fivefold");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  if (!viewer) {
    const { offers } = context.config;
    return { viewer: null, ended: context.hasEndedLogin(), offers };
  }
  const now = context.now();
  const isOperator = isAmong(context.config.operators, viewer);
  const rounds = await roundsOf(context.db, viewer);
  return {
    viewer: viewerView(viewer),
    rounds: rounds.map((round) => ({ ...round, said: stateText(round, now) })),
    seats: seatChoices({ tier: viewer.tierConfig.tier, isOperator }),
    deadlines: deadlines(now),
    formKey: crypto.randomUUID(),
    hasLeft: new URL(request.url).searchParams.has("left"),
  };
}

function stateText({ state, taken, seats, hasSeat, ...times }: OwnRound, now: number): string {
  const own = hasSeat ? "" : " Your song is still to come.";
  if (state === "ended") return "It ended before it began.";
  if (state === "open") return "The marks are in.";
  if (state === "listening") return `All listen until ${dayAndHour(times.endsAt ?? now, now)}.`;
  return `${ofAll(taken, seats)} are in, until ${dayAndHour(times.gatherUntil, now)}.${own}`;
}

export default function Rounds() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <Page viewer={loaded.viewer} current="rounds" amber={loaded.viewer !== null}>
      {loaded.viewer ? (
        <>
          {loaded.hasLeft ? <Notice tone="ok">You have left the round.</Notice> : null}
          {loaded.rounds.length > 0 ? (
            <section className="prose">
              <h1>Your rounds</h1>
              <ul className="dated-list">
                {loaded.rounds.map(({ token, name, said }) => (
                  <li key={token}>
                    <Link to={roundPath(token)}>
                      <bdi>{name}</bdi>
                    </Link>{" "}
                    <span className="quiet">{said}</span>
                  </li>
                ))}
              </ul>
            </section>
          ) : null}
          <NewRound {...loaded} isFirst={loaded.rounds.length === 0} />
        </>
      ) : (
        <LoginPrompt heading="Rounds" ended={loaded.ended} offers={loaded.offers} next="/rounds">
          <p className="lead">{whatItIs}</p>
        </LoginPrompt>
      )}
    </Page>
  );
}

export { PageError as ErrorBoundary };

const whatItIs =
  "Six people, a link and an evening. Each hands in a song; everybody who listens gets five ratings.";

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

function NewRound({
  seats,
  deadlines,
  formKey,
  isFirst,
}: Extract<Loaded, { viewer: object }> & { isFirst: boolean }) {
  const { busy, error, onSubmit } = usePost(({ token }) => roundPath(String(token)));
  const Heading = isFirst ? "h1" : "h2";
  return (
    <div className="round-new">
      <Heading>Open a round.</Heading>
      <p className="lead">{whatItIs}</p>
      <form method="post" action="/rounds/open" onSubmit={onSubmit}>
        <input type="hidden" name="key" value={formKey} />
        {error ? <Notice tone="error">{error}</Notice> : null}
        <p className="field">
          <label>
            What is it called?{" "}
            <input type="text" name="name" required maxLength={60} autoComplete="off" />
          </label>
        </p>
        <Choice name="seats" legend="How many seats?">
          {seats.map((count) => ({ value: count, label: inWords(count) }))}
        </Choice>
        <Choice name="until" legend="Songs come in until">
          {deadlines.map(({ at, label }) => ({ value: at, label }))}
        </Choice>
        <Choice name="days" legend="Then all listen for">
          {listenDays.map((days) => ({
            value: days,
            label: days === 1 ? "A day" : `${inWords(days)} days`,
          }))}
        </Choice>
        <button className="button" type="submit" aria-disabled={busy || undefined}>
          Open the round
        </button>
        <p className="quiet">It costs nobody anything. You get a link to pass on.</p>
      </form>
    </div>
  );
}

function Choice({
  name,
  legend,
  children,
}: {
  name: string;
  legend: ReactNode;
  children: { value: number; label: string }[];
}) {
  return (
    <fieldset className="switch">
      <legend>{legend}</legend>
      {children.map(({ value, label }, place) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            defaultChecked={place === Math.min(1, children.length - 1)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
