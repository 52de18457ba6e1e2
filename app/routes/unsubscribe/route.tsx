import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { wantsPage } from "~/http/error-response.server";
import { readFields } from "~/http/fields.server";
import { mailedLink } from "~/http/route-handle";
import type { MailTopic } from "~/mailing/email-preferences";
import { readSubscription, unsubscribe } from "~/mailing/unsubscribe.server";
import { tokenIn } from "~/platform/crypto.server";
import { isRejection } from "~/platform/rejection";

export const handle = mailedLink("LIMIT_WIDE");

export const meta: MetaFunction = () => privateHead("Your e-mails - Fivefold");

/** Asks without changing anything, because mail scanners follow every link. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = tokenIn(request);
  const subscription = await readSubscription(context.db, token, context.config.sessionSecret);
  if (!subscription) throw Response.json(invalidLink, { status: 403 });
  return { token, ...subscription };
}

/**
 * Ends the mails by the token alone: for mail clients (RFC 8058, `List-Unsubscribe=One-Click`) and for this
 * page's form, which posts `receive` as false. Nothing here can resubscribe: the link travels in mails that
 * are forwarded and copied, so that takes a confirmation of the address.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const token = tokenIn(request);
  const fields = await readFields(request);
  const isEnding =
    !isRejection(fields) &&
    (fields.get("List-Unsubscribe") === "One-Click" || fields.get("receive") === "false");
  if (!isEnding) throw Response.json(unclearRequest, { status: 422 });
  const ended = await unsubscribe(context.db, token, context.config.sessionSecret);
  if (!ended) throw Response.json(invalidLink, { status: 403 });
  if (!wantsPage(request)) return { receive: false };
  return redirect(`/unsubscribe?token=${encodeURIComponent(token)}`, 303);
}

export default function UnsubscribeRoute() {
  const { token, topic, ended } = useLoaderData<typeof loader>();
  return (
    <Page viewer={null} current={null}>
      <div className="prose">
        <h1>{ended ? "You are unsubscribed" : "Unsubscribe"}</h1>
        <p className="lead">
          {ended ? `You will get no more ${subjects[topic]}.` : `You get ${subjects[topic]}.`}
        </p>
        {ended ? (
          <p>
            This applies to your address, whatever is switched on in any account here. If you want
            these e-mails again, confirm your address from <a href="/account">your account</a>.
          </p>
        ) : (
          <form method="post" action={`/unsubscribe?token=${encodeURIComponent(token)}`}>
            <input type="hidden" name="receive" value="false" />
            <button className="button" type="submit">
              Unsubscribe
            </button>
          </form>
        )}
        <p className="quiet">{unaffected[topic]}</p>
      </div>
    </Page>
  );
}

const subjects: Record<MailTopic, string> = {
  rating: "e-mails about your songs: when they are added or rated, and when they do not play",
  subscription:
    "e-mails about your subscription: when it begins, when a payment fails, and when it ends",
  songs:
    "e-mails that say when there are songs to rate again, or that a song is out, each time you have asked for one",
  rounds:
    "e-mails about rounds that you are in: that one begins, that it ends, and that it is open",
  notices: "e-mails about what you report here: that we have it, and what we decide",
};

const unaffected: Record<MailTopic, string> = {
  rating: "Your songs and their ratings stay as they are, with or without e-mails.",
  subscription: "Your subscription stays as it is, with or without e-mails.",
  songs: "You can listen to songs and rate them as before, with or without e-mails.",
  rounds: "You keep your seat, with or without e-mails.",
  notices: "We decide about what you report, with or without e-mails.",
};

const invalidLink = {
  title: "This link does not work",
  text: "It is incomplete, so nothing was changed. Open it from the e-mail again, or choose on your account page which e-mails you get.",
  action: { label: "Go to my account", href: "/account" },
};

const unclearRequest = {
  title: "We did not understand that",
  text: "Open the link in the e-mail again and choose there. Nothing was changed.",
  action: { label: "Go to my account", href: "/account" },
};
