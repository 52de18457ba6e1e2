import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { loadMailSettings } from "~/domain/notification/settings.server";
import { viewerView } from "~/domain/session/viewer.server";
import { Account } from "~/ui/account";
import { privateHead } from "~/ui/head/head";
import { LoginPrompt } from "~/ui/login-prompt";
import { Page } from "~/ui/page";

export const meta: MetaFunction = () => privateHead("Your account - Fivefold");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  if (!viewer) return { viewer: null, mail: null, saved: false, scripts: false };
  const mail = await loadMailSettings(context.db, viewer.userId, context.now());
  const saved = new URL(request.url).searchParams.has("saved");
  return { viewer: viewerView(viewer), mail, saved, scripts: true };
}

export default function AccountRoute() {
  const { viewer, mail, saved } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current="account">
      {viewer && mail ? (
        <Account viewer={viewer} mail={mail} saved={saved} />
      ) : (
        <LoginPrompt heading="Your account" next="/account">
          <p className="lead">
            Here you say where your mails go, and which you want. Please login to get started.
          </p>
        </LoginPrompt>
      )}
    </Page>
  );
}
