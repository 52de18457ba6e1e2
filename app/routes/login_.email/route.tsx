import {
  type ActionFunctionArgs,
  type HeadersFunction,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { addressEntry, EntryForm } from "~/components/form/entry-form";
import { privateHead } from "~/components/head/head";
import { Accepting } from "~/components/layout/login-button";
import { Page } from "~/components/layout/page";
import { WayIn } from "~/components/layout/way-in";
import { Notice } from "~/components/notice";
import type { RequestContext } from "~/http/context.server";
import { readFields } from "~/http/fields.server";
import { memberReturnPath } from "~/http/require.server";
import { returnPath } from "~/http/return-path";
import { limitPosts, type RouteHandle } from "~/http/route-handle";
import { beginEmailLogin } from "~/login/log-in-by-email.server";
import { mailboxOf, readMailAddress } from "~/members/mail-address";
import { type Viewer, viewerView } from "~/members/viewer.server";
import { isRejection } from "~/platform/rejection";

export const handle: RouteHandle = {
  ...limitPosts("LIMIT_LOGIN", "address"),
  crawlers: "disallowed",
};

export const meta: MetaFunction = () => privateHead("Log in by e-mail - Fivefold");

export const headers: HeadersFunction = ({ actionHeaders }) => {
  const wait = actionHeaders.get("Retry-After");
  return wait === null ? {} : { "Retry-After": wait };
};

/** Asks for the address. Of a member who is logged in it is known: they log in again. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const next = new URL(request.url).searchParams.get("next");
  const viewer = await context.viewer();
  return {
    viewer: viewer && viewerView(viewer),
    own: viewer?.ownEmail ?? null,
    offers: context.config.offers,
    next: pathAfter(context, viewer, next),
  };
}

/** Mails a code, whether the address is known or not. */
export async function action({ request, context }: ActionFunctionArgs) {
  const fields = await readFields(request);
  const entered = isRejection(fields) ? "" : (fields.get("address") ?? "");
  const viewer = await context.viewer();
  const next = pathAfter(context, viewer, isRejection(fields) ? null : fields.get("next"));
  const address = readMailAddress(entered);
  if (isRejection(address)) return json({ entered, next, error: address.error }, 422);
  const own = viewer?.ownEmail ?? null;
  if (viewer && (own === null || mailboxOf(own) !== mailboxOf(address))) {
    return json({ entered, next, error: texts.another }, 409);
  }
  const again = viewer?.userId ?? null;
  const answer = await beginEmailLogin(request, context, { address: own ?? address, again, next });
  if (!isRejection(answer)) return answer;
  const headers = { "Retry-After": String(answer.secondsLeft) };
  const hasOther = answer.everybody && context.config.offers.spotify;
  const error = hasOther ? `${answer.error} ${texts.otherWay}` : answer.error;
  return json({ entered, next, error }, { status: answer.status, headers });
}

function pathAfter(context: RequestContext, viewer: Viewer | null, asked: unknown): string {
  return viewer ? memberReturnPath(context, viewer, asked) : returnPath(asked, context.routes);
}

const texts = {
  otherWay: "Logging in with Spotify works meanwhile.",
  another: "You are logged in here as somebody else. To log in by another address, log out first.",
};

export default function EmailLoginRoute() {
  const { viewer, own, offers, ...loaded } = useLoaderData<typeof loader>();
  const answer = useActionData<{ entered: string; next: string; error: string }>();
  const { next } = answer ?? loaded;
  return (
    <Page viewer={viewer} current={null} amber>
      <WayIn
        step={1}
        heading={viewer === null ? "Come in." : own === null ? "Log in by e-mail" : "Log in again"}
      >
        {viewer === null ? (
          <>
            <p className="lead">There is no password. We send you a code.</p>
            <EntryForm
              id="address"
              name="address"
              {...addressEntry}
              defaultValue={answer?.entered ?? ""}
              label="E-mail address"
              post={{ action: "/login/email" }}
              press="Send me the code"
              error={answer?.error}
            >
              <input type="hidden" name="next" value={next} />
            </EntryForm>
            <p className="quiet">
              <span>New here? It is the same way: your account is made at the end. </span>
              {offers.spotify ? (
                <a href={`/?next=${encodeURIComponent(next)}#login`}>
                  Log in with Spotify Premium instead
                </a>
              ) : null}
            </p>
            <Accepting />
          </>
        ) : own === null ? (
          <>
            <p className="lead">
              You are logged in here as <bdi>{viewer.displayName}</bdi>, who has not confirmed an
              address yet.
            </p>
            <a className="button" href="/account">
              Add an address on my account page
            </a>
          </>
        ) : (
          <>
            <p className="lead">
              We mail a code of six digits to <bdi>{own}</bdi>.
            </p>
            <form method="post" action="/login/email">
              <input type="hidden" name="address" value={own} />
              <input type="hidden" name="next" value={next} />
              {answer?.error ? <Notice tone="error">{answer.error}</Notice> : null}
              <button className="button" type="submit">
                Send me the code
              </button>
            </form>
          </>
        )}
      </WayIn>
    </Page>
  );
}
