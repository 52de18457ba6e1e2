import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import * as z from "zod";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { loadPass, passSong } from "~/domain/pass/pass.server";
import { isPassReason, maxReportLength, passReasons } from "~/domain/pass/reasons";
import { viewerView } from "~/domain/session/viewer.server";
import {
  jsonOrRedirect,
  requireAccepted,
  requireFields,
  requireViewer,
} from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { Pass } from "./pass";

export const handle: RouteHandle = {
  crawlers: "disallowed",
  rateLimits: { POST: [{ limiter: "LIMIT_NORMAL", per: "session" }] },
  scripts: () => true,
  playsSongs: () => true,
};

export const meta: MetaFunction = ({ error }) =>
  error ? errorHead(error) : privateHead("I can't rate this - Fivefold");

/** Asks why. Leads to the carousel where there is nothing to ask, such as after the way back. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const asked = await loadPass(context, viewer, params.songId ?? "");
  if (!asked) throw redirect("/");
  return { viewer: viewerView(viewer), ...asked, reasons: passReasons, maxReportLength };
}

const passFields = z.object({
  reason: z.string().refine(isPassReason),
  // Browsers send a line break as two characters, and count it as one.
  words: z
    .string()
    .transform((words) => words.replaceAll("\r\n", "\n").trim())
    .pipe(z.string().max(maxReportLength))
    .default(""),
});

/** Takes the song out of the viewer's package. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const error = `Please choose a reason, and say what is wrong in at most ${maxReportLength} characters.`;
  const fields = await requireFields(request, passFields, { error, viewer });
  const services = { ...context, spotify: context.spotify(viewer) };
  const passed = await passSong(services, viewer, { songId: params.songId ?? "", ...fields });
  return jsonOrRedirect(request, { json: requireAccepted(request, passed, { viewer }), to: "/" });
}

export default function PassRoute() {
  const { viewer, ...asked } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current="carousel">
      <Pass {...asked} />
    </Page>
  );
}

export { PageError as ErrorBoundary };
