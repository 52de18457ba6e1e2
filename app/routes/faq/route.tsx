import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { faqEntries, faqPage } from "~/components/head/faq";
import { publicHead } from "~/components/head/head";
import { LoginButton } from "~/components/layout/login-button";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import type { RouteHandle } from "~/http/route-handle";
import { viewerView } from "~/members/viewer.server";
import faqCss from "./faq.css";

export const handle: RouteHandle<Awaited<ReturnType<typeof loader>>> = {
  sameForVisitors: true,
  crawlers: "listed",
  countsVisits: ({ viewer }) => viewer === null,
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: faqCss }];

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data?.head ?? errorHead(error);

export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  const { appOrigin, offers } = context.config;
  const page = {
    path: "/faq",
    title: "FAQ - Fivefold",
    description: `Short answers: what Fivefold is, how to submit a song, what it costs, who sees the ratings${
      offers.spotify ? ", and what needs Spotify Premium" : ", and how you log in"
    }.`,
  } as const;
  const head = [...publicHead(page, appOrigin), faqPage(offers)];
  return { viewer: viewer && viewerView(viewer), offers, head };
}

export default function FaqRoute() {
  const { viewer, offers } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current="faq">
      <div className="prose faq">
        <h1>FAQ</h1>
        {faqEntries(offers).map(({ question, answer }) => (
          <details className="panel" key={question}>
            <summary>
              <h2>{question}</h2>
            </summary>
            <p>{answer}</p>
          </details>
        ))}
        {viewer ? null : <LoginButton offers={offers} />}
      </div>
    </Page>
  );
}

export { PageError as ErrorBoundary };
