import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { loadAccount } from "~/account/account.server";
import { useFreshData } from "~/components/form/use-fresh-data";
import { privateHead } from "~/components/head/head";
import { LoginPrompt } from "~/components/layout/login-prompt";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { Notice } from "~/components/notice";
import { unsealEntered } from "~/http/entered-address.server";
import type { RouteHandle } from "~/http/route-handle";
import { isFreshLogin } from "~/members/lifetime";
import { viewerView } from "~/members/viewer.server";
import { sha256 } from "~/platform/crypto.server";
import { Account } from "./account";

export const handle: RouteHandle<Awaited<ReturnType<typeof loader>>> = {
  crawlers: "disallowed",
  returnTarget: true,
  scripts: ({ viewer }) => viewer !== null,
  playsSongs: ({ viewer }) => viewer !== null,
};

export const meta: MetaFunction = ({ error }) =>
  error ? errorHead(error) : privateHead("Your account - Fivefold");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const viewer = await context.viewer();
  if (!viewer) {
    return { viewer: null, deleted: query.has("deleted"), ended: context.hasEndedLogin() };
  }
  const now = context.now();
  const secret = context.config.sessionSecret;
  const account = await loadAccount(context.db, viewer, { secret, now });
  return {
    viewer: viewerView(viewer),
    account: {
      ...account,
      id: await sha256(viewer.userId),
      now,
      saved: query.has("saved"),
      ended: query.has("ended"),
      declined: query.has("declined"),
      again: isFreshLogin(viewer.session, now) ? query.get("again") : null,
      entered: await unsealEntered(context.config.tokenKey, viewer.userId, query.get("entered")),
    },
  };
}

export default function AccountRoute() {
  const loaded = useLoaderData<typeof loader>();
  // Somebody else may have logged in meanwhile, for whom the forms would act.
  useFreshData(loaded.viewer !== null);
  return (
    <Page viewer={loaded.viewer} current="account">
      {loaded.viewer && loaded.account.declined ? (
        <Notice tone="info">
          You did not confirm at Spotify that it is you, so nothing was changed.
        </Notice>
      ) : null}
      {loaded.viewer ? (
        <Account viewer={loaded.viewer} {...loaded.account} />
      ) : (
        <LoginPrompt heading="Your account" ended={loaded.ended} next="/account">
          {loaded.deleted ? <Notice tone="ok">Your account is deleted.</Notice> : null}
          <p className="lead">
            Here you choose which e-mails you get and where they go. Please login to get started.
          </p>
        </LoginPrompt>
      )}
    </Page>
  );
}

export { PageError as ErrorBoundary };
