import type { LinksFunction, MetaFunction } from "@remix-run/cloudflare";
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
  useNavigation,
} from "@remix-run/react";
import { type ReactNode, useContext, useState } from "react";
import { AnalyticsContext, NonceContext } from "~/components/layout/document-contexts";
import { OfflineNotice, useOneTimeParameters, usePageFocus } from "~/components/layout/navigation";
import { errorHead, PageError } from "~/components/layout/page-error";
import { PremiumContext } from "~/components/premium/premium-context";
import { SubscriptionDialog } from "~/components/premium/subscription-dialog";
import type { AnyRouteHandle } from "~/http/route-handle";
import { PlayerShell } from "~/player/shell/player-shell";
import appCss from "~/styles/app.css";
import voice from "~/styles/familjen-grotesk.woff2";

export const meta: MetaFunction = ({ error }) => errorHead(error);

export const links: LinksFunction = () => [
  { rel: "preload", href: voice, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "stylesheet", href: appCss },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

interface DocumentData {
  refresh?: { seconds: number; to: string } | null;
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useContext(NonceContext);
  const analytics = useContext(AnalyticsContext);
  const premium = useContext(PremiumContext);
  const matches = useMatches();
  const refresh = matches
    .map(({ data }) => (data as DocumentData | undefined)?.refresh)
    .find((wanted) => wanted);
  // A document that began with scripts keeps them on screens that would do without.
  const [scripts] = useState(() =>
    matches.some(
      ({ handle, data }) => data && (handle as AnyRouteHandle | undefined)?.scripts?.(data),
    ),
  );
  return (
    <html lang="en" data-premium={premium === "sold" ? undefined : premium}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
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
  usePageFocus();
  useOneTimeParameters();
  const isLoading = useNavigation().state !== "idle";
  return (
    <PlayerShell>
      <OfflineNotice />
      {isLoading ? <div className="page-loading" /> : null}
      <Outlet />
      <SubscriptionDialog />
    </PlayerShell>
  );
}

/** Shows errors that no route's own boundary can, such as an address that leads nowhere. */
export { PageError as ErrorBoundary };
