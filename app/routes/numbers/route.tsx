import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { publicHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { countedNumbers } from "~/exchange/community/community";
import { loadNumbers } from "~/exchange/community/numbers.server";
import type { RouteHandle } from "~/http/route-handle";
import { viewerView } from "~/members/viewer.server";
import { dateAndTime, fullDate } from "~/platform/dates";
import numbersCss from "./numbers.css";
import { Strokes } from "./strokes";

export const handle: RouteHandle<Awaited<ReturnType<typeof loader>>> = {
  sameForVisitors: true,
  crawlers: "listed",
  countsVisits: ({ viewer }) => viewer === null,
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: numbersCss }];

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data?.head ?? errorHead(error);

export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  const numbers = await loadNumbers(context.db, context.now());
  return {
    viewer: viewer && viewerView(viewer),
    numbers: countedNumbers(numbers, fullDate),
    countedAt: numbers.countedAt === null ? null : dateAndTime(numbers.countedAt),
    head: publicHead(
      {
        path: "/numbers",
        title: "Numbers - Fivefold",
        description:
          "How many ratings were promised here, how many were given, how long songs wait, and how each of these numbers is counted.",
      },
      context.config.appOrigin,
    ),
  };
}

export default function NumbersRoute() {
  const { viewer, numbers, countedAt } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current={null}>
      <div className="numbers">
        <h1>Count for yourself.</h1>
        <p className="lead">
          One stroke is one song, one rating or one member. None of them is ours.
        </p>
        {numbers.map(({ topic, amount, how, strokes }) => (
          <section key={topic} aria-labelledby={topic}>
            <h2 id={topic}>
              <small>{topic}</small> <span>{amount ?? "Too few to say."}</span>
            </h2>
            <p className="quiet">{how}</p>
            <Strokes count={strokes} />
          </section>
        ))}
        <p className="quiet">
          {countedAt === null
            ? "Not counted yet."
            : `What is kept and waited: counted at ${countedAt}.`}
        </p>
      </div>
    </Page>
  );
}

export { PageError as ErrorBoundary };
