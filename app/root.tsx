import type { LinksFunction, MetaFunction } from "@remix-run/cloudflare";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
  useRouteError,
} from "@remix-run/react";
import { type ReactNode, useContext } from "react";
import { AnalyticsContext } from "~/components/head/analytics";
import { ErrorPage } from "~/components/layout/error-page";
import { NonceContext } from "~/components/layout/nonce";
import { Page } from "~/components/layout/page";
import type { ViewerView } from "~/domain/session/views";
import type { AnyRouteHandle } from "~/http/route-handle";
import appCss from "~/styles/app.css";

/** For the error page below; every route that has a page sets its own title. */
export const meta: MetaFunction = ({ error }) => [
  { title: `${explain(error).title} - Fivefold` },
  { name: "robots", content: "noindex" },
];

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: appCss },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

/** Loader data that the document itself reads. */
interface DocumentData {
  /** Where a browser without JavaScript goes by itself, and after how many seconds. */
  refresh?: { seconds: number; to: string } | null;
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useContext(NonceContext);
  const analytics = useContext(AnalyticsContext);
  const matches = useMatches();
  const refresh = matches
    .map(({ data }) => (data as DocumentData | undefined)?.refresh)
    .find((wanted) => wanted);
  const scripts = matches.some(
    ({ handle, data }) => data && (handle as AnyRouteHandle | undefined)?.scripts?.(data),
  );
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#f6f6f4" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#141416" media="(prefers-color-scheme: dark)" />
        <Meta />
        <Links />
        {refresh ? (
          <noscript>
            <meta httpEquiv="refresh" content={`${refresh.seconds};url=${refresh.to}`} />
          </noscript>
        ) : null}
      </head>
      <body>
        {children}
        {scripts ? (
          <>
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        ) : null}
        {/* Last in the body: there React keeps an element that only the server has rendered. */}
        {analytics ? (
          <script async nonce={nonce} src={analytics.scriptUrl} {...analytics.attributes} />
        ) : null}
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

/** The error page of every route. */
export function ErrorBoundary() {
  const error = useRouteError();
  const { status, title, text } = explain(error);
  return (
    <Page viewer={viewerIn(error)} current={null}>
      <ErrorPage
        status={status}
        title={title}
        text={text}
        action={{ label: "Go to Homepage", href: "/" }}
      />
    </Page>
  );
}

/** The logged-in user, if the route that failed has told. */
function viewerIn(error: unknown): ViewerView | null {
  return isRouteErrorResponse(error) ? (error.data?.viewer ?? null) : null;
}

function explain(error: unknown): { status: number; title: string; text: string } {
  if (isRouteErrorResponse(error)) {
    if (typeof error.data?.title === "string") return { status: error.status, ...error.data };
    if (error.status === 404) {
      return {
        status: 404,
        title: "Nothing here",
        text: "There is no such page. It may have moved, or there is a typo in the address.",
      };
    }
    if (error.status < 500) {
      return {
        status: error.status,
        title: "That did not work",
        text: "The request could not be handled. Nothing was changed.",
      };
    }
  }
  return {
    status: 500,
    title: "Something went wrong",
    text: "That is on our side. Please try again in a moment.",
  };
}
