import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { privateHead } from "~/components/head/head";
import { LoginPrompt } from "~/components/layout/login-prompt";
import { Page } from "~/components/layout/page";
import { Notice } from "~/components/notice";
import { loadAccount } from "~/domain/account/account.server";
import { viewerView } from "~/domain/session/viewer.server";
import { Account } from "./account";

export const meta: MetaFunction = () => privateHead("Your account - Fivefold");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const asked = new URL(request.url).searchParams;
  const viewer = await context.viewer();
  if (!viewer) return { viewer: null, deleted: asked.has("deleted"), scripts: false as const };
  const now = context.now();
  const account = await loadAccount(context.db, viewer, now);
  const saved = asked.has("saved");
  return {
    viewer: viewerView(viewer),
    account: { ...account, now, saved },
    scripts: true as const,
  };
}

export default function AccountRoute() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <Page viewer={loaded.viewer} current="account">
      {loaded.viewer ? (
        <Account viewer={loaded.viewer} {...loaded.account} />
      ) : (
        <LoginPrompt heading="Your account" next="/account">
          {loaded.deleted ? <Notice tone="ok">Your account is deleted.</Notice> : null}
          <p className="lead">
            Here you say where your mails go, and which you want. Please login to get started.
          </p>
        </LoginPrompt>
      )}
    </Page>
  );
}
