import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { addressEntry, EntryForm } from "~/components/form/entry-form";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { PageError } from "~/components/layout/page-error";
import { readFields } from "~/http/fields.server";
import { mailedLink, type RouteHandle } from "~/http/route-handle";
import { readMailAddress } from "~/members/mail-address";
import { viewerView } from "~/members/viewer.server";
import { fullDate } from "~/platform/dates";
import { householdOf } from "~/platform/network";
import { isRejection } from "~/platform/rejection";
import { type DeclarationKind, declarationName, withdrawalDays } from "~/premium/declaration";
import { declare, fulfilDeclaration, readDeclaration } from "~/premium/declare.server";

export const handle: RouteHandle = { ...mailedLink("LIMIT_STRICT"), forPremium: true };

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  privateHead(`${data ? titles[data.kind] : "Subscription"} - Fivefold`);

/** The form; or with the token of a receipt's link, its button. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { pathname, searchParams: query } = new URL(request.url);
  const token = query.get("token");
  const declared = token === null ? null : await readDeclaration(context.db, token, context.secret);
  if (token !== null && !declared) throw Response.json(invalidLink, { status: 403 });
  const viewer = token === null ? await context.viewer() : null;
  return {
    viewer: viewer && viewerView(viewer),
    kind: declared?.kind ?? kindOf(pathname),
    link:
      token !== null && declared
        ? { token, isDone: declared.doneAt !== null, endsAt: declared.subscriber?.endsAt ?? null }
        : null,
    isSent: query.has("sent"),
    key: crypto.randomUUID(),
    contact: context.config.contactEmail,
  };
}

/** Takes a declaration from whoever knows an address; or does what was declared, by the token of its receipt. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { pathname, searchParams: query } = new URL(request.url);
  const token = query.get("token");
  if (token !== null) {
    const outcome = await fulfilDeclaration({ ...context, billing: context.billing() }, token);
    if (outcome === null) throw Response.json(invalidLink, { status: 403 });
    if (outcome === "done") return redirect(`${pathname}?token=${encodeURIComponent(token)}`, 303);
    const [error, status] = outcome === "provider" ? [texts.provider, 503] : [texts.nobody, 409];
    return json({ entered: "", error }, status);
  }
  const fields = await readFields(request);
  const entered = isRejection(fields) ? "" : (fields.get("address") ?? "");
  const address = readMailAddress(entered);
  if (isRejection(address)) return json({ entered, error: address.error }, 422);
  const key = isRejection(fields) ? "" : (fields.get("key") ?? "");
  const isTaken = await declare(
    { ...context, now: context.now() },
    {
      ...{ kind: kindOf(pathname), address, place: householdOf(request) },
      key: /^[0-9a-f-]{36}$/.test(key) ? key : crypto.randomUUID(),
    },
  );
  if (!isTaken)
    return json({ entered, error: `${texts.full} ${context.config.contactEmail}.` }, 429);
  return redirect(`${pathname}?sent`, 303);
}

function kindOf(pathname: string): DeclarationKind {
  return pathname.toLowerCase().startsWith("/withdraw") ? "withdraw" : "cancel";
}

const titles: Record<DeclarationKind, string> = {
  cancel: "Cancel Fivefold Premium",
  withdraw: "Withdraw from Fivefold Premium",
};

const leads: Record<DeclarationKind, string> = {
  cancel: "It ends with what you have paid for, and does not renew. You need no login.",
  withdraw: `Within ${withdrawalDays} days of subscribing you can withdraw, without a reason: Premium ends at once, and you get back what you have paid. You need no login.`,
};

const presses: Record<DeclarationKind, string> = {
  cancel: "Cancel now",
  withdraw: "Withdraw now",
};

function doneText(kind: DeclarationKind, endsAt: number | null): string {
  if (kind === "withdraw")
    return "Premium has ended. What you have paid goes back to where it came from, which takes a bank up to ten days.";
  const end = endsAt === null ? "with what you have paid for" : `on ${fullDate(endsAt)}`;
  return `Premium ends ${end}, and does not renew. An e-mail says so, too.`;
}

const texts = {
  full: "That is as much as we take here in a day. Nothing is lost: write to",
  provider:
    "Stripe is not answering right now. We have what you declared, and it counts from when it came in. Press again in a moment; if you do not, a person does it.",
  nobody:
    "No subscription that this applies to is known here under your address. We have what you declared, and a person will look at it.",
};

export default function DeclarationRoute() {
  const { viewer, kind, link, isSent, key, contact } = useLoaderData<typeof loader>();
  const answer = useActionData<{ entered: string; error: string }>();
  const name = declarationName[kind];
  return (
    <Page viewer={viewer} current={null}>
      <div className="prose">
        {link?.isDone ? (
          <>
            <h1>{`Your ${name} is done`}</h1>
            <p className="lead">{doneText(kind, link.endsAt)}</p>
          </>
        ) : link ? (
          <>
            <h1>{titles[kind]}</h1>
            <p className="lead">{`This confirms the ${name} that we have from you.`}</p>
            <form method="post" action={`/${kind}?token=${encodeURIComponent(link.token)}`}>
              <button className="button" type="submit">
                {`Confirm the ${name}`}
              </button>
              {answer?.error ? (
                <p className="field-error" role="alert">
                  {answer.error}
                </p>
              ) : null}
            </form>
          </>
        ) : isSent ? (
          <>
            <h1>{`We have your ${name}`}</h1>
            <p className="lead">
              A receipt is on its way to the address that you entered. If it has a button, press it:
              then it is done at once.
            </p>
            <p>
              <span>No mail after some minutes? Look into your spam folder, or write to</span>{" "}
              <a href={`mailto:${contact}`}>{contact}</a>.
            </p>
          </>
        ) : (
          <>
            <h1>{titles[kind]}</h1>
            <p className="lead">{leads[kind]}</p>
            <EntryForm
              id="address"
              name="address"
              {...addressEntry}
              defaultValue={answer?.entered ?? ""}
              label="Your e-mail address here, or the one you paid with"
              post={{ action: `/${kind}` }}
              press={presses[kind]}
              error={answer?.error}
            >
              <input type="hidden" name="key" value={key} />
            </EntryForm>
            <p className="quiet">
              A receipt comes by mail at once, and says what we have and when it came. By the link
              in it, it is done at once; otherwise a person looks at it.
            </p>
            {kind === "cancel" ? (
              <a href="/withdraw">{`Subscribed within ${withdrawalDays} days? Get your money back`}</a>
            ) : (
              <a href="/cancel">Cancel to the end of what is paid for</a>
            )}
          </>
        )}
      </div>
    </Page>
  );
}

export { PageError as ErrorBoundary };

const invalidLink = {
  title: "This link does not work",
  text: "It is incomplete, or too old. Nothing was changed. Open it from the e-mail again.",
  action: { label: "Go to Fivefold", href: "/" },
};
