import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Page } from "~/components/layout/page";
import resultCss from "~/styles/result.css";
import designCss from "./design.css";
import { DesignPage } from "./design-page";

export const meta: MetaFunction = () => [
  { title: "Design - Fivefold" },
  { name: "robots", content: "noindex" },
];

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: resultCss },
  { rel: "stylesheet", href: designCss },
];

/** The design system for developers; in development only. */
export function loader({ context }: LoaderFunctionArgs) {
  if (!context.config.development) throw Response.json(null, { status: 404 });
  return null;
}

export default function Design() {
  return (
    <Page viewer={null} current={null}>
      <DesignPage />
    </Page>
  );
}
