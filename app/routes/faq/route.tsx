import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { faqPage } from "~/components/head/faq-page";
import { publicHead } from "~/components/head/head";
import { publicPages } from "~/components/head/public-pages";
import { Page } from "~/components/layout/page";
import { viewerView } from "~/domain/session/viewer.server";
import { Faq } from "./faq";

export const meta: MetaFunction<typeof loader> = ({ data }) => data?.head ?? [];

export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  const head = [...publicHead(publicPages.faq, context.config.appOrigin), faqPage()];
  return { viewer: viewer && viewerView(viewer), head };
}

export default function FaqRoute() {
  const { viewer } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current="faq">
      <Faq loggedIn={viewer !== null} />
    </Page>
  );
}
