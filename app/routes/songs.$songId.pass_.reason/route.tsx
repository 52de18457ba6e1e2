import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { maxReportLength } from "~/exchange/pass/pass";
import { loadPass } from "~/exchange/pass/pass.server";
import { requireViewer } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { viewerView } from "~/members/viewer.server";
import { Pass } from "./pass";

export const handle: RouteHandle = {
  scripts: () => true,
  playsSongs: () => true,
};

export const meta: MetaFunction = ({ error }) =>
  error ? errorHead(error) : privateHead("I can't rate this - Fivefold");

/**
 * The data of the question why a song cannot be rated. Redirects to the carousel if there is nothing to ask,
 * for instance after Back.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const asked = await loadPass(context, viewer, params.songId ?? "");
  if (!asked) throw redirect("/");
  return { viewer: viewerView(viewer), ...asked, maxReportLength };
}

export default function PassRoute() {
  const { viewer, ...asked } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current="carousel">
      <Pass {...asked} />
    </Page>
  );
}

export { PageError as ErrorBoundary };
