import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { EntryForm } from "~/components/form/entry-form";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { WayIn } from "~/components/layout/way-in";
import type { RequestContext } from "~/http/context.server";
import { readFields } from "~/http/fields.server";
import { limitPosts, type RouteHandle } from "~/http/route-handle";
import { readGrant } from "~/login/email-session.server";
import { makeAccount, openAccount, pendingEmailLogin } from "~/login/log-in-by-email.server";
import { readArtistName } from "~/members/artist-name";
import { fullDate } from "~/platform/dates";
import { isRejection } from "~/platform/rejection";
import { syncMatched } from "~/premium/sync.server";

export const handle: RouteHandle = {
  ...limitPosts("LIMIT_LOGIN", "address"),
  crawlers: "disallowed",
};

export const meta: MetaFunction = ({ error }) =>
  error ? errorHead(error) : privateHead("Your name - Fivefold");

/** After the code: asks for the name of a new account, or which of several it is to be. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { address, accounts, next } = await requireGrant(request, context);
  return { address, accounts, next };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const grant = await requireGrant(request, context);
  const fields = await readFields(request);
  const user = isRejection(fields) ? null : fields.get("user");
  if (user) {
    return (await openAccount(request, context, grant, user)) ?? redirect("/login/name", 303);
  }
  const entered = isRejection(fields) ? "" : (fields.get("name") ?? "");
  const name = readArtistName(entered);
  if (isRejection(name)) return json({ entered, error: name.error }, name.status);
  const made = await makeAccount(request, context, grant, name);
  if (!made) return redirect("/login/name", 303);
  if (isRejection(made)) return json({ entered, error: made.error }, made.status);
  await syncMatched({ ...context, billing: context.billing() }, made.matchedCustomers);
  return made.response;
}

async function requireGrant(request: Request, context: RequestContext) {
  const { ticket } = await pendingEmailLogin(request, context);
  const grant = await readGrant(context.db, ticket, context.now());
  if (!grant) throw Response.json(noGrant, { status: 400 });
  // Another tab was quicker.
  if (grant.sessionId !== null) throw redirect(grant.next, 303);
  return grant;
}

export default function NameRoute() {
  const { address, accounts, next } = useLoaderData<typeof loader>();
  const { entered = "", error } = useActionData<{ entered: string; error: string }>() ?? {};
  return (
    <Page viewer={null} current={null} amber>
      <WayIn step={3} heading={accounts.length > 0 ? "Which account?" : "What are you called?"}>
        {accounts.length > 0 ? (
          <>
            <p className="lead">
              What <bdi>{address}</bdi> opens:
            </p>
            {accounts.map(({ id, name, hasSpotify, since }) => (
              <form key={id} className="card" method="post" action="/login/name">
                <input type="hidden" name="user" value={id} />
                <p>
                  <strong>
                    <bdi>{name}</bdi>
                  </strong>
                </p>
                <p className="quiet">
                  {`Comes in by ${hasSpotify ? "Spotify and e-mail" : "e-mail"}, since ${fullDate(since)}.`}
                </p>
                <button className="button" type="submit">
                  Log in<span className="visually-hidden">{` as ${name}`}</span>
                </button>
              </form>
            ))}
          </>
        ) : (
          <>
            <p className="lead">It stands beside your songs, never beside your ratings.</p>
            <EntryForm
              id="name"
              name="name"
              autoComplete="nickname"
              defaultValue={entered}
              label="Artist's name"
              post={{ action: "/login/name" }}
              press={next === "/" ? "Hear the first song" : "Make my account"}
              error={error}
            />
            <p className="quiet">
              There is no account yet for <bdi>{address}</bdi>. It is made with this name.
            </p>
          </>
        )}
      </WayIn>
    </Page>
  );
}

export { PageError as ErrorBoundary };

const noGrant = {
  title: "This login has expired",
  text: "It was started too long ago or in another browser. Start again.",
  action: { label: "Log in by e-mail", href: "/login/email" },
};
