import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { readFields } from "~/http/fields.server";
import {
  memberReturnPath,
  requireAccepted,
  requireViewer,
  waysToLogIn,
} from "~/http/require.server";
import { withParameter } from "~/http/return-path";
import { limitPosts, type RouteHandle } from "~/http/route-handle";
import { viewerView } from "~/members/viewer.server";
import { beginLogin } from "~/sources/spotify/login/consent-page.server";

export const handle: RouteHandle = {
  ...limitPosts("LIMIT_LOGIN"),
  crawlers: "disallowed",
};

export const meta: MetaFunction = ({ error }) =>
  error ? errorHead(error) : privateHead("Log in again - Fivefold");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const next = memberReturnPath(context, viewer, new URL(request.url).searchParams.get("next"));
  return { viewer: viewerView(viewer), ways: waysToLogIn(context, viewer), next };
}

/** Sends a member to Spotify's consent page, through which nobody else may log in. */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const fields = requireAccepted(request, await readFields(request), { viewer });
  const next = memberReturnPath(context, viewer, fields.get("next"));
  if (!waysToLogIn(context, viewer).spotify) {
    return redirect(withParameter("/login/email", "next", next), 303);
  }
  return beginLogin(request, context, next, viewer.userId);
}

export default function LoginAgainRoute() {
  const { viewer, ways, next } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current={null}>
      <div className="prose">
        <h1>Log in again</h1>
        <p className="lead">
          What you are about to do needs a login within the last hour, so that nobody else can do it
          in a browser that you have left open.
        </p>
        {ways.spotify ? (
          <form method="post" action="/login/again">
            <input type="hidden" name="next" value={next} />
            <button className="button" type="submit">
              Log in again with Spotify
            </button>
          </form>
        ) : null}
        {ways.email ? (
          <form method="get" action="/login/email">
            <input type="hidden" name="next" value={next} />
            <button className={ways.spotify ? "button plain" : "button"} type="submit">
              Log in again by e-mail
            </button>
          </form>
        ) : null}
        <Link to="/account">Back to my account</Link>
      </div>
    </Page>
  );
}

export { PageError as ErrorBoundary };
