import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { requireViewer } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { identityOf } from "~/members/identity";
import { isFreshLogin } from "~/members/lifetime";
import { viewerView } from "~/members/viewer.server";
import { loadOperation } from "~/operator/operation.server";
import { sayDeed } from "~/operator/said";
import { version } from "../../../package.json";
import figuresCss from "./figures.css";
import operatorCss from "./operator.css";
import { OperatorPage } from "./operator.server";

export const handle: RouteHandle = {
  forOperators: true,
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "session" }] },
};

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: operatorCss },
  { rel: "stylesheet", href: figuresCss },
];

export const meta: MetaFunction<typeof loader> = () => privateHead("Operation - Fivefold");

/** The data of the operator's page. Two round trips; the first reads who the operator is. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const query = new URL(request.url).searchParams;
  const now = context.now();
  const { db, deployedAt } = context;
  // The log on the page tells the times of looks.
  const [at] = /^\d{1,15}$/.exec(query.get("look") ?? "") ?? [];
  const look = at && isFreshLogin(viewer.session, now) ? Number(at) : null;
  const deed = { action: query.get("done") ?? "", target: query.get("about") ?? "" };
  const operation = await loadOperation(db, viewer, { look, now });
  return {
    viewer: viewerView(viewer),
    now,
    again: query.has("again"),
    release: { version, deployedAt },
    nobody: query.has("nobody"),
    ...operation,
    said: sayDeed(operation.decisions.lines, identityOf(viewer), deed),
    ownId: viewer.userId,
  };
}

export default function OperatorRoute() {
  const { viewer, ...page } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current={null}>
      {/* The page has no scripts, and public files hold nothing of it. */}
      {typeof document === "undefined" ? <OperatorPage {...page} /> : null}
    </Page>
  );
}
