import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { readSubscriber, switchMails } from "~/domain/contact/unsubscribe.server";
import { isRefusal } from "~/domain/refusal";
import { wantsPage } from "~/http/error-response.server";
import { readFields } from "~/http/fields.server";
import type { RouteHandle } from "~/http/route-handle";
import { Unsubscribe } from "./unsubscribe";

export const handle: RouteHandle = {
  crawlers: "disallowed",
  rateLimits: {
    GET: [{ limiter: "LIMIT_WIDE", per: "address" }],
    POST: [{ limiter: "LIMIT_WIDE", per: "address" }],
  },
};

export const meta: MetaFunction = () => privateHead("Your e-mails - Fivefold");

/** Asks, and changes nothing: mail scanners follow every link. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = tokenOf(request);
  const subscriber = await readSubscriber(context.db, token, context.config.sessionSecret);
  if (!subscriber) throw data(invalidLink, { status: 403 });
  const { topic, wanted } = subscriber;
  return { token, topic, wanted };
}

/**
 * Switches the mails by the token alone: for mail clients (RFC 8058, `List-Unsubscribe=One-Click`),
 * and for this page's form, which posts `receive` as true or false.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const token = tokenOf(request);
  const fields = await readFields(request);
  const wanted = isRefusal(fields) ? null : wantedIn(fields);
  if (wanted === null) throw data(unclearRequest, { status: 422 });
  const secret = context.config.sessionSecret;
  const options = { secret, wanted, now: context.now() };
  const subscriber = await switchMails(context.db, token, options);
  if (!subscriber) throw data(invalidLink, { status: 403 });
  if (!wantsPage(request)) return { receive: wanted };
  return redirect(`/unsubscribe?token=${encodeURIComponent(token)}`, 303);
}

function tokenOf(request: Request): string {
  return new URL(request.url).searchParams.get("token") ?? "";
}

/** Whether the mails are wanted from now on; null if the fields do not say. */
function wantedIn(fields: Map<string, string>): boolean | null {
  if (fields.get("List-Unsubscribe") === "One-Click") return false;
  const receive = fields.get("receive");
  return receive === "true" ? true : receive === "false" ? false : null;
}

export default function UnsubscribeRoute() {
  const { token, topic, wanted } = useLoaderData<typeof loader>();
  return (
    <Page viewer={null} current={null}>
      <Unsubscribe token={token} topic={topic} wanted={wanted} />
    </Page>
  );
}

const invalidLink = {
  title: "This link does not work",
  text: "It is not complete, or your e-mails go to another address by now. Nothing was changed. You can switch e-mails off and on in your account.",
};

const unclearRequest = {
  title: "That was not clear",
  text: "Please open the link in the e-mail again and choose there. Nothing was changed.",
};
