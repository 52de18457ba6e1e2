import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { WayIn } from "~/components/layout/way-in";
import { mailedLink } from "~/http/route-handle";
import { completeEmailLogin } from "~/login/log-in-by-email.server";
import { readLink } from "~/login/login-code.server";
import { viewerView } from "~/members/viewer.server";
import { tokenIn } from "~/platform/crypto.server";

export const handle = mailedLink("LIMIT_LOGIN");

export const meta: MetaFunction = ({ error }) =>
  error ? errorHead(error) : privateHead("Log in - Fivefold");

/** Asks without changing anything, because mail scanners follow every link. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = tokenIn(request);
  const services = { secret: context.secret, now: context.now() };
  const [link, viewer] = await Promise.all([
    readLink(context.db, token, services),
    context.viewer(),
  ]);
  const shown = viewer && viewerView(viewer);
  if (!link) throw Response.json({ ...invalidLink, viewer: shown }, { status: 403 });
  return { viewer: shown, token, address: link.address };
}

/** Logs in by the token alone: the mail may be read in another browser. */
export async function action({ request, context }: ActionFunctionArgs) {
  const response = await completeEmailLogin(request, context, { token: tokenIn(request) });
  if (response) return response;
  throw Response.json(invalidLink, { status: 403 });
}

export default function LinkRoute() {
  const { viewer, token, address } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current={null} amber>
      <WayIn step={2} heading="Log in to Fivefold?">
        <p className="lead">
          This link logs you in here as the reader of <bdi>{address}</bdi>.
        </p>
        {viewer ? (
          <p>
            You are logged in here as <bdi>{viewer.displayName}</bdi>. That login ends.
          </p>
        ) : null}
        <form method="post" action={`/login/link?token=${encodeURIComponent(token)}`}>
          <button className="button" type="submit">
            Log in
          </button>
        </form>
        <p className="quiet">
          If this is not your address, or you have not asked for this, just close the page: nothing
          happens.
        </p>
      </WayIn>
    </Page>
  );
}

export { PageError as ErrorBoundary };

const invalidLink = {
  title: "This link does not work",
  text: "It has expired, has already been used, or was replaced by a newer one.",
  action: { label: "Log in by e-mail", href: "/login/email" },
};
