import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { ManageSubscription } from "~/components/premium/manage-subscription";
import { PremiumOffer } from "~/components/premium/premium-offer";
import { viewerView } from "~/domain/session/viewer.server";
import { isManageable } from "~/domain/subscription/record";
import { statusLabel } from "~/domain/tiers/tiers";
import type { RouteHandle } from "~/http/route-handle";

export const handle: RouteHandle = { crawlers: "disallowed" };

export const meta: MetaFunction = ({ error }) =>
  error ? errorHead(error) : privateHead("Premium - Fivefold");

/** The subscription dialog's content as a page, for browsers without JavaScript. */
export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  if (!viewer) throw redirect("/");
  return { viewer: viewerView(viewer) };
}

export default function Subscribe() {
  const { viewer } = useLoaderData<typeof loader>();
  const { subscription } = viewer;
  return (
    <Page viewer={viewer} current={null}>
      <div className="prose">
        <h1>Fivefold Premium</h1>
        {isManageable(subscription.subscriptionStatus) ? (
          <>
            <p className="lead">{`Your subscription: ${statusLabel(subscription.subscriptionStatus)}`}</p>
            <ManageSubscription tier={subscription} />
          </>
        ) : (
          <PremiumOffer />
        )}
      </div>
    </Page>
  );
}

export { PageError as ErrorBoundary };
