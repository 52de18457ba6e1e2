import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { viewerView } from "~/domain/session/viewer.server";
import { Imprint } from "~/ui/imprint";
import { Page } from "~/ui/page";

export const meta: MetaFunction = () => [{ title: "Imprint and privacy - Fivefold" }];

export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  const { operator, contactEmail, mail } = context.config;
  const mailProvider = mail.resend ? "Resend" : "Cloudflare";
  return { viewer: viewer && viewerView(viewer), operator, contactEmail, mailProvider };
}

export default function ImprintRoute() {
  const { viewer, ...about } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current="imprint">
      <Imprint {...about} loggedIn={viewer !== null} />
    </Page>
  );
}
