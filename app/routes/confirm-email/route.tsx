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
import { addressTexts, confirmAddress, readConfirmation } from "~/domain/contact/address.server";
import { isRefusal } from "~/domain/refusal";
import { ConfirmEmail } from "./confirm-email";

export const meta: MetaFunction = () => privateHead("Confirm your address - Fivefold");

/** Asks. It changes nothing: mail scanners follow every link. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = tokenOf(request);
  const { db, config } = context;
  const found = await readConfirmation(db, config.sessionSecret, token, context.now());
  if (!found || !(found.open || found.current)) throw data(invalid, { status: 403 });
  const { address, displayName, current } = found;
  return { token, address, displayName, current, scripts: false };
}

/** Confirms the address, by the token alone: the mail may be read on another device. */
export async function action({ request, context }: ActionFunctionArgs) {
  const token = tokenOf(request);
  const { db, config } = context;
  const confirmed = await confirmAddress(db, config.sessionSecret, token, context.now());
  if (isRefusal(confirmed)) throw data(invalid, { status: confirmed.status });
  return redirect(`/confirm-email?token=${encodeURIComponent(token)}`, 303);
}

function tokenOf(request: Request): string {
  return new URL(request.url).searchParams.get("token") ?? "";
}

export default function ConfirmEmailRoute() {
  const { token, address, displayName, current } = useLoaderData<typeof loader>();
  return (
    <Page viewer={null} current={null}>
      <ConfirmEmail token={token} address={address} displayName={displayName} current={current} />
    </Page>
  );
}

const invalid = {
  title: "This link does not work",
  text: `${addressTexts.spent} You can have another one mailed from your account.`,
};
