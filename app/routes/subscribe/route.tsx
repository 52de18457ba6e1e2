import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { PremiumOffer } from "~/components/premium/premium-offer";
import { TierCard } from "~/components/premium/tier-card";
import { requireViewer } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { viewerView } from "~/members/viewer.server";
import subscribeCss from "./subscribe.css";

export const handle: RouteHandle = {
  forPremium: true,
  crawlers: "disallowed",
  returnTarget: true,
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: subscribeCss }];

export const meta: MetaFunction = ({ error }) =>
  error ? errorHead(error) : privateHead("Premium - Fivefold");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const next = new URL(request.url).searchParams.get("next");
  return { viewer: viewerView(viewer), next };
}

export default function Subscribe() {
  const { viewer, next } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current={null}>
      <div className="prose subscribe">
        <h1>Fivefold Premium</h1>
        {viewer.subscription.manage ? null : <TierCard turns />}
        <PremiumOffer subscription={viewer.subscription} next={next} />
      </div>
    </Page>
  );
}

export { PageError as ErrorBoundary };
