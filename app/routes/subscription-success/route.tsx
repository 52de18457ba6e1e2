import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { selectViewer, toViewer, type Viewer, viewerView } from "~/domain/session/viewer.server";
import { type CheckoutResult, emailFor } from "~/domain/subscription/checkout-result";
import { lookUpCheckout } from "~/domain/subscription/success.server";
import { type ShownResult, SubscriptionResult } from "./subscription-result";

export const meta: MetaFunction = () => privateHead("Your subscription - Fivefold");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { db, config, now } = context;
  const sessionId = new URL(request.url).searchParams.get("session_id") ?? "";
  let viewer: Viewer | null | undefined;
  const result = await lookUpCheckout(
    db,
    context.billing(),
    sessionId,
    config.contactEmail,
    now,
    async (write) => {
      // After what was written, so that the badge is right at once.
      const read = selectViewer(db, context.sessionId ?? "", now());
      const [, , rows] = await db.batch([...write, read]);
      viewer = toViewer(rows);
    },
  );
  if (viewer === undefined) viewer = await context.viewer();
  return json(
    {
      viewer: viewer && viewerView(viewer),
      result: shown(result, viewer, sessionId),
      contact: config.contactEmail,
    },
    { status: result.state === "error" ? result.status : 200 },
  );
}

function shown(result: CheckoutResult, viewer: Viewer | null, sessionId: string): ShownResult {
  if (result.state === "error") return { state: result.state, error: result.error };
  if (result.state === "processing") {
    const again = `/subscription-success?session_id=${encodeURIComponent(sessionId)}`;
    return { state: result.state, again };
  }
  const { state, userId, written } = result;
  const email = emailFor(result, viewer?.userId ?? null);
  return { state, email, written, known: userId !== null };
}

export default function SubscriptionSuccess() {
  const { viewer, result, contact } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current={null}>
      <SubscriptionResult result={result} loggedIn={viewer !== null} contact={contact} />
    </Page>
  );
}
