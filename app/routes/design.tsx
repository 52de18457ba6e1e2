import {
  data,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import designCss from "~/ui/design/design.css";
import { DesignPage } from "~/ui/design/design-page";
import { Page } from "~/ui/page";

export const meta: MetaFunction = () => [
  { title: "Design - Fivefold" },
  { name: "robots", content: "noindex" },
];

export const links: LinksFunction = () => [{ rel: "stylesheet", href: designCss }];

/** The design system, for those who work on it: in development alone. */
export function loader({ context }: LoaderFunctionArgs) {
  if (!context.config.development) throw data(null, { status: 404 });
  return null;
}

export default function Design() {
  return (
    <Page viewer={null} current={null}>
      <DesignPage />
    </Page>
  );
}
