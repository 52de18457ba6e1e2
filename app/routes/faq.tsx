import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { viewerView } from "~/domain/session/viewer.server";
import { Faq } from "~/ui/faq";
import { Page } from "~/ui/page";

export const meta: MetaFunction = () => [{ title: "FAQ - Fivefold" }];

export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  return { viewer: viewer && viewerView(viewer) };
}

export default function FaqRoute() {
  const { viewer } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current="faq">
      <Faq loggedIn={viewer !== null} />
    </Page>
  );
}
