import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { mailedLink } from "~/http/route-handle";
import { addressTexts, confirmAddress, readConfirmation } from "~/mailing/address.server";
import type { Returned } from "~/mailing/email-preferences";
import { tokenIn } from "~/platform/crypto.server";
import { isRejection } from "~/platform/rejection";
import { syncMatched } from "~/premium/sync.server";

export const handle = mailedLink("LIMIT_NORMAL");

export const meta: MetaFunction = () => privateHead("Confirm your address - Fivefold");

/** Asks without changing anything, because mail scanners follow every link. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = tokenIn(request);
  const { db, secret, now } = context;
  const found = await readConfirmation(db, token, { secret, now: now() });
  if (!found || !(found.open || found.current)) throw Response.json(invalidLink, { status: 403 });
  const { address, displayName, current, ended, returned } = found;
  if (found.taken && !current) throw Response.json(takenAddress, { status: 409 });
  return { token, address, displayName, current, ended, returned };
}

/** Confirms the address by the token alone: the mail may be read on another device. */
export async function action({ request, context }: ActionFunctionArgs) {
  const token = tokenIn(request);
  const { db, secret, now } = context;
  const confirmed = await confirmAddress(db, token, { secret, now: now() });
  if (isRejection(confirmed)) {
    const { status } = confirmed;
    throw Response.json(status === 409 ? takenAddress : invalidLink, { status });
  }
  await syncMatched({ ...context, billing: context.billing() }, confirmed.matchedCustomers);
  return redirect(`/confirm-email?token=${encodeURIComponent(token)}`, 303);
}

export default function ConfirmEmailRoute() {
  const { token, address, displayName, current, ended, returned } = useLoaderData<typeof loader>();
  return (
    <Page viewer={null} current={null}>
      <div className="prose">
        {current ? (
          <>
            <h1>Your address is confirmed</h1>
            <p className="lead">
              E-mails for <bdi>{displayName}</bdi> go to <bdi>{address}</bdi> from now on.
            </p>
            <a className="button" href="/ratings-of-my-songs">
              See the ratings of my songs
            </a>
          </>
        ) : (
          <>
            <h1>Is this your address?</h1>
            <p className="lead">
              <bdi>{displayName}</bdi> on Fivefold would like to get e-mails at <bdi>{address}</bdi>
              , and to be able to log in with it. Whoever reads its e-mails can then log in there.
            </p>
            {ended ? (
              <p>
                {`${whyEnded[returned ?? "unsubscribed"]} If you confirm it, they will be sent again, as long as they are switched on in that account.`}
              </p>
            ) : null}
            <form method="post" action={`/confirm-email?token=${encodeURIComponent(token)}`}>
              <button className="button" type="submit">
                Yes, confirm my address
              </button>
            </form>
            <p className="quiet">
              If this is not you, just close this page: nothing will be sent to you.
            </p>
          </>
        )}
      </div>
    </Page>
  );
}

const whyEnded: Record<Returned | "unsubscribed", string> = {
  bounced: "An e-mail of ours to this address has come back.",
  complained: "An e-mail of ours to this address was reported as spam.",
  unsubscribed: "This address has unsubscribed from our e-mails.",
};

const takenAddress = {
  title: "This address has an account already",
  text: addressTexts.taken,
  action: { label: "Go to my account", href: "/account" },
};

const invalidLink = {
  title: "This link does not work",
  text: `${addressTexts.spent} You can ask for another one on your account page.`,
  action: { label: "Go to my account", href: "/account" },
};
