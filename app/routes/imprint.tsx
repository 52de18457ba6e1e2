import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { viewerView } from "~/domain/session/viewer.server";
import { Imprint } from "~/ui/imprint";
import { Page } from "~/ui/page";

export const meta: MetaFunction = () => [{ title: "Imprint and privacy - Fivefold" }];

export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  const { operator, contactEmail } = context.config;
  return { viewer: viewer && viewerView(viewer), operator, contactEmail };
}

export default function ImprintRoute() {
  const { viewer, operator, contactEmail } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current="imprint">
      <Imprint operator={operator} contactEmail={contactEmail} loggedIn={viewer !== null} />
    </Page>
  );
}
