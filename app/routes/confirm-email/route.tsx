import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import type { RouteHandle } from "~/http/route-handle";
import { addressTexts, confirmAddress, readConfirmation } from "~/members/address.server";
import { isRejection } from "~/platform/rejection";
import { syncMatched } from "~/premium/sync.server";
import { ConfirmEmail } from "./confirm-email";

export const handle: RouteHandle = {
  crawlers: "disallowed",
  rateLimits: {
    GET: [{ limiter: "LIMIT_WIDE", per: "address" }],
    POST: [{ limiter: "LIMIT_NORMAL", per: "address" }],
  },
};

export const meta: MetaFunction = () => privateHead("Confirm your address - Fivefold");

/** Asks without changing anything, because mail scanners follow every link. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = tokenOf(request);
  const secret = context.config.sessionSecret;
  const found = await readConfirmation(context.db, token, { secret, now: context.now() });
  if (!found || !(found.open || found.current)) throw Response.json(invalidLink, { status: 403 });
  const { address, displayName, current, ended, returned } = found;
  return { token, address, displayName, current, ended, returned };
}

/** Confirms the address by the token alone: the mail may be read on another device. */
export async function action({ request, context }: ActionFunctionArgs) {
  const token = tokenOf(request);
  const secret = context.config.sessionSecret;
  const confirmed = await confirmAddress(context.db, token, { secret, now: context.now() });
  if (isRejection(confirmed)) throw Response.json(invalidLink, { status: confirmed.status });
  await syncMatched({ ...context, billing: context.billing() }, confirmed.matchedCustomers);
  return redirect(`/confirm-email?token=${encodeURIComponent(token)}`, 303);
}

function tokenOf(request: Request): string {
  return new URL(request.url).searchParams.get("token") ?? "";
}

export default function ConfirmEmailRoute() {
  const confirmation = useLoaderData<typeof loader>();
  return (
    <Page viewer={null} current={null}>
      <ConfirmEmail {...confirmation} />
    </Page>
  );
}

const invalidLink = {
  title: "This link does not work",
  text: `${addressTexts.spent} You can ask for another one on your account page.`,
  action: { label: "Go to my account", href: "/account" },
};
