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
import { Unsubscribe } from "./unsubscribe";

export const meta: MetaFunction = () => privateHead("Your mails - Fivefold");

/** Asks. It changes nothing: mail scanners follow every link. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = tokenOf(request);
  const { db, config } = context;
  const subscriber = await readSubscriber(db, config.sessionSecret, token);
  if (!subscriber) throw data(invalid, { status: 403 });
  const { topic, wanted } = subscriber;
  return { token, topic, wanted, scripts: false };
}

/**
 * Does it, by the token alone: for mail clients (RFC 8058, `List-Unsubscribe=One-Click`), and for
 * this page's form, `receive` true or false.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const token = tokenOf(request);
  const fields = await readFields(request);
  const wanted = isRefusal(fields) ? null : wish(fields);
  if (wanted === null) throw data(unclear, { status: 422 });
  const { db, config } = context;
  const subscriber = await switchMails(db, config.sessionSecret, token, wanted, context.now());
  if (!subscriber) throw data(invalid, { status: 403 });
  if (!wantsPage(request)) return { receive: wanted };
  return redirect(`/unsubscribe?token=${encodeURIComponent(token)}`, 303);
}

function tokenOf(request: Request): string {
  return new URL(request.url).searchParams.get("token") ?? "";
}

/** What is asked for; null where that cannot be told. */
function wish(fields: Map<string, string>): boolean | null {
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

const invalid = {
  title: "This link does not work",
  text: "It is not complete, or your mails go to another address by now. Nothing was changed. You can switch mails off and on in your account.",
};

const unclear = {
  title: "That was not clear",
  text: "Please open the link in the mail again and choose there. Nothing was changed.",
};
