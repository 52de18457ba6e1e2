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
import type { RouteHandle } from "~/http/route-handle";
import { readSubscription, unsubscribe } from "~/members/unsubscribe.server";
import { isRejection } from "~/platform/rejection";
import { Unsubscribe } from "./unsubscribe";

export const handle: RouteHandle = {
  crawlers: "disallowed",
  rateLimits: {
    GET: [{ limiter: "LIMIT_WIDE", per: "address" }],
    POST: [{ limiter: "LIMIT_WIDE", per: "address" }],
  },
};

export const meta: MetaFunction = () => privateHead("Your e-mails - Fivefold");

/** Asks without changing anything, because mail scanners follow every link. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = tokenOf(request);
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
  const token = tokenOf(request);
  const fields = await readFields(request);
  if (isRejection(fields) || !isEnding(fields))
    throw Response.json(unclearRequest, { status: 422 });
  const ended = await unsubscribe(context.db, token, context.config.sessionSecret);
  if (!ended) throw Response.json(invalidLink, { status: 403 });
  if (!wantsPage(request)) return { receive: false };
  return redirect(`/unsubscribe?token=${encodeURIComponent(token)}`, 303);
}

function tokenOf(request: Request): string {
  return new URL(request.url).searchParams.get("token") ?? "";
}

function isEnding(fields: Map<string, string>): boolean {
  return fields.get("List-Unsubscribe") === "One-Click" || fields.get("receive") === "false";
}

export default function UnsubscribeRoute() {
  const subscription = useLoaderData<typeof loader>();
  return (
    <Page viewer={null} current={null}>
      <Unsubscribe {...subscription} />
    </Page>
  );
}

const invalidLink = {
  title: "This link does not work",
  text: "It is incomplete, so nothing was changed. Please open it from the e-mail again, or choose on your account page which e-mails you get.",
  action: { label: "Go to my account", href: "/account" },
};

const unclearRequest = {
  title: "We did not understand that",
  text: "Please open the link in the e-mail again and choose there. Nothing was changed.",
  action: { label: "Go to my account", href: "/account" },
};
