import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { publicHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import type { RouteHandle } from "~/http/route-handle";
import { viewerView } from "~/members/viewer.server";
import { Imprint } from "./imprint";
import imprintCss from "./imprint.css";

export const handle: RouteHandle<Awaited<ReturnType<typeof loader>>> = {
  sameForVisitors: true,
  crawlers: "listed",
  countsVisits: ({ viewer }) => viewer === null,
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: imprintCss }];

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data?.head ?? errorHead(error);

export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  const { appOrigin, operator, contactEmail, mailBcc, analytics, offers } = context.config;
  const page = {
    path: "/imprint",
    title: "Imprint and privacy - Fivefold",
    description:
      "Who runs Fivefold and how to reach us; what data we store and why, who else is involved, and what your rights are.",
  } as const;
  return {
    viewer: viewer && viewerView(viewer),
    operator,
    contactEmail,
    offers,
    copies: mailBcc !== null,
    analyticsHost: analytics && new URL(analytics.reportOrigin).host,
    head: publicHead(page, appOrigin),
  };
}

export default function ImprintRoute() {
  const { viewer, head: _head, ...about } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current="imprint">
      <Imprint {...about} loggedIn={viewer !== null} />
    </Page>
  );
}

export { PageError as ErrorBoundary };
