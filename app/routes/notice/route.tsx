import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { readFields } from "~/http/fields.server";
import { requireAccepted } from "~/http/require.server";
import { limitPosts, type RouteHandle } from "~/http/route-handle";
import { viewerView } from "~/members/viewer.server";
import { readNotice } from "~/operator/notice";
import { fileNotice } from "~/operator/notice.server";
import { NoticeForm, NoticeSent } from "./notice";

export const handle: RouteHandle = {
  ...limitPosts("LIMIT_STRICT", "address"),
  crawlers: "disallowed",
};

export const meta: MetaFunction = () => privateHead("Report something - Fivefold");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const viewer = await context.viewer();
  return {
    viewer: viewer && viewerView(viewer),
    sent: query.has("sent"),
    location: query.get("at") ?? "",
    contactEmail: context.config.contactEmail,
  };
}

/** Takes a notice. What was entered is kept if it is refused. */
export async function action({ request, context }: ActionFunctionArgs) {
  const fields = requireAccepted(request, await readFields(request));
  const entered = Object.fromEntries(fields);
  const read = readNotice(fields);
  if ("errors" in read) return json({ entered, errors: read.errors, error: null }, 422);
  const answer = await fileNotice(context, read.notice, context.config.contactEmail);
  if (answer === null) return redirect("/notice?sent", 303);
  return json({ entered, errors: {}, error: answer.error }, answer.status);
}

export default function NoticeRoute() {
  const { viewer, sent, location, contactEmail } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <Page viewer={viewer} current={null}>
      {sent && !answer ? (
        <NoticeSent />
      ) : (
        <NoticeForm entered={{ location }} {...answer} contactEmail={contactEmail} />
      )}
    </Page>
  );
}
