import { json, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { privateHead } from "~/components/head/head";
import { LoginButton } from "~/components/layout/login-button";
import { Page } from "~/components/layout/page";
import { Notice } from "~/components/notice";
import { returnPath } from "~/http/return-path";
import type { RouteHandle } from "~/http/route-handle";
import { tierConfigs } from "~/members/tiers";
import { viewerView } from "~/members/viewer.server";
import { lookUpCheckout, showsUnlocked } from "~/premium/success.server";

export const handle: RouteHandle = {
  forPremium: true,
  crawlers: "disallowed",
  // Every visit asks Stripe.
  rateLimits: { GET: [{ limiter: "LIMIT_NORMAL", per: "address" }] },
};

export const meta: MetaFunction = () => privateHead("Your subscription - Fivefold");

/**
 * The result of a checkout. A buyer who began it at something that Premium unlocks is redirected there at
 * once; everybody else sees a confirmation.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const checkoutId = new URL(request.url).searchParams.get("session_id") ?? "";
  const { result, viewer, ...lookup } = await lookUpCheckout(
    { ...context, billing: context.billing() },
    { checkoutId, loginId: context.sessionId },
  );
  const returnTo = returnPath(lookup.returnTo, context.routes);
  if (showsUnlocked(returnTo)) return redirect(returnTo, 303);
  return json(
    {
      viewer: viewer && viewerView(viewer),
      result,
      again: `/subscription-success?session_id=${encodeURIComponent(checkoutId)}`,
      returnTo,
      contact: context.config.contactEmail,
      offers: context.config.offers,
    },
    { status: result.state === "error" ? result.status : 200 },
  );
}

export default function SubscriptionSuccess() {
  return (
    <Page viewer={useLoaderData<typeof loader>().viewer} current={null}>
      <div className="prose">
        <SubscriptionResult />
      </div>
    </Page>
  );
}

const { premium } = tierConfigs;

function SubscriptionResult() {
  const { viewer, result, again, returnTo, contact, offers } = useLoaderData<typeof loader>();
  switch (result.state) {
    case "processing":
      return (
        <>
          <h1>Your subscription</h1>
          <Notice tone="info">Processing your subscription...</Notice>
          <a className="button" href={again}>
            Check again
          </a>
        </>
      );
    case "error":
      return (
        <>
          <h1>Your subscription</h1>
          <Notice tone="error">{result.error}</Notice>
          <a className="button" href="/">
            Go to Homepage
          </a>
        </>
      );
    case "success":
      return (
        <>
          <h1>Thank you for subscribing!</h1>
          {result.email ? (
            <p className="lead">
              Subscription e-mail: <bdi>{result.email}</bdi>
            </p>
          ) : null}
          {result.known && !result.written ? (
            <Notice tone="error">
              This subscription does not give you Fivefold Premium at the moment. If you have just
              paid, open this page again in a moment, or write to{" "}
              <a href={`mailto:${contact}`}>{contact}</a>.
            </Notice>
          ) : result.known ? (
            <p>
              {`From now on you rate after ${premium.requiredSeconds} seconds, submit a song after ${premium.ratingsToSubmit} ratings, and see all ratings of your songs, with what listeners liked and what could be better.`}
            </p>
          ) : (
            <p>
              <span>{`The e-mail address of your ${offers.spotify ? "Spotify Premium account" : "account"} must match the subscription e-mail.`}</span>{" "}
              Confirm that address in <a href="/account">your account</a>, and open this page again
              afterwards. If that does not help, write to{" "}
              <a href={`mailto:${contact}`}>{contact}</a> with both addresses.
            </p>
          )}
          {result.known ? (
            <p className="quiet">
              Fivefold Premium belongs to the account with which you started, whatever e-mail
              address you paid with.
            </p>
          ) : null}
          {viewer ? (
            <a className="button" href={returnTo}>
              {returnTo === "/" ? "Take me to the Carousel" : "Take me back"}
            </a>
          ) : (
            <LoginButton offers={offers} />
          )}
        </>
      );
  }
}
