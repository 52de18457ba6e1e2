import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import * as z from "zod";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import type { RequestContext } from "~/http/context.server";
import { beginLogin } from "~/http/login.server";
import { requireFields, requireViewer, waysToLogIn } from "~/http/require.server";
import { returnPath, withParameter } from "~/http/return-path";
import { limitPosts, type RouteHandle } from "~/http/route-handle";
import { isAmong } from "~/members/identity";
import { type Viewer, viewerView } from "~/members/viewer.server";

export const handle: RouteHandle = {
  ...limitPosts("LIMIT_LOGIN"),
  crawlers: "disallowed",
};

export const meta: MetaFunction = ({ error }) =>
  error ? errorHead(error) : privateHead("Log in again - Fivefold");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const next = nextOf(context, viewer, new URL(request.url).searchParams.get("next"));
  return { viewer: viewerView(viewer), ways: waysToLogIn(context, viewer), next };
}

const againFields = z.object({ next: z.string().optional() });

/** Sends a member to Spotify's consent page, through which nobody else may log in. */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const error = "The request could not be read.";
  const fields = await requireFields(request, againFields, { error, viewer });
  const next = nextOf(context, viewer, fields.next);
  if (!waysToLogIn(context, viewer).spotify) {
    return redirect(withParameter("/login/email", "next", next), 303);
  }
  return beginLogin(request, context, next, viewer.userId);
}

function nextOf({ config, routes }: RequestContext, viewer: Viewer, asked: unknown): string {
  return returnPath(asked, routes, { isOperator: isAmong(config.operators, viewer) });
}

export default function LoginAgainRoute() {
  const { viewer, ways, next } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current={null}>
      <div className="prose">
        <h1>Please log in again</h1>
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
