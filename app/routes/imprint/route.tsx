import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { publicHead } from "~/components/head/head";
import { publicPages } from "~/components/head/public-pages";
import { Page } from "~/components/layout/page";
import { viewerView } from "~/domain/session/viewer.server";
import { Imprint } from "./imprint";

export const meta: MetaFunction<typeof loader> = ({ data }) => data?.head ?? [];

export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  const { appOrigin, operator, contactEmail, mail, mailBcc, analytics } = context.config;
  const mailProvider = mail.resend ? "Resend" : "Cloudflare";
  return {
    viewer: viewer && viewerView(viewer),
    operator,
    contactEmail,
    mailProvider,
    copies: mailBcc !== null,
    analyticsHost: analytics && new URL(analytics.reportOrigin).host,
    head: publicHead(publicPages.imprint, appOrigin),
  };
}

export default function ImprintRoute() {
  const { viewer, head: _head, ...about } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current="imprint">
      <Imprint {...about} loggedIn={viewer !== null} />
    </Page>
  );
}
