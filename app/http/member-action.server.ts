import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import type * as z from "zod";
import type { Viewer } from "~/members/viewer.server";
import { isRejection, type Rejection } from "~/platform/rejection";
import type { RequestContext } from "./context.server";
import type { PageLink } from "./error-response.server";
import { refusal } from "./refusal.server";
import { jsonOrRedirect, requireFields, requireViewer } from "./require.server";
import { returnPath } from "./return-path";
import { openSources } from "./sources.server";

interface MemberPost<Fields> {
  request: Request;
  context: RequestContext;
  /** The context, with Spotify as this member may ask it. */
  services: ReturnType<typeof servicesOf>;
  viewer: Viewer;
  songId: string;
  /** Of a round. */
  token: string;
  fields: Fields;
  /** The page that the field `next` names, or the front page. */
  next: string;
}

interface MemberAction<Result extends object | null, Schema extends z.ZodType> {
  fields?: Schema;
  error?: string;
  lists?: string[];
  run(post: MemberPost<z.output<Schema>>): Promise<Result | Rejection>;
  json?(post: MemberPost<z.output<Schema>>, result: Result): object;
  to: string | ((post: MemberPost<z.output<Schema>>, result: Result) => string);
  back?: PageLink | ((post: MemberPost<z.output<Schema>>, why: Rejection) => PageLink | undefined);
}

/**
 * Answers a member's post. Asks who the member is, reads `fields`, calls `run`, and answers `json` to programs or
 * leads browsers to the page `to`. Where the schema refuses the fields, people read `error`. Where `run` returns a
 * rejection, its page has the button `back`. Without `json` the answer is what `run` returned, or `{ ok: true }`.
 *
 * Call it within `action`, because esbuild cannot leave `export const action = memberAction(…)` out of the
 * browser's scripts.
 */
export async function memberAction<Result extends object | null, Schema extends z.ZodType>(
  { request, params, context }: ActionFunctionArgs,
  action: MemberAction<Result, Schema>,
): Promise<Response> {
  const { error = "What you sent could not be read.", lists = [], run, json, to, back } = action;
  const viewer = await requireViewer({ request, context });
  const page = { viewer, back: typeof back === "function" ? undefined : back };
  const fields = action.fields
    ? await requireFields(request, action.fields, { error, lists, ...page })
    : undefined;
  const post = {
    request,
    context,
    services: servicesOf(context, viewer),
    viewer,
    songId: params.songId ?? "",
    token: params.token ?? "",
    fields: fields as z.output<Schema>,
    next: returnPath((fields as { next?: unknown } | undefined)?.next, context.routes),
  };
  const result = await run(post);
  if (isRejection(result)) {
    const button = typeof back === "function" ? back(post, result) : back;
    throw refusal(request, context, result, { viewer, back: button });
  }
  return jsonOrRedirect(request, {
    json: json?.(post, result) ?? result ?? { ok: true },
    to: typeof to === "function" ? to(post, result) : to,
  });
}

function servicesOf(context: RequestContext, viewer: Viewer) {
  const services = { ...context, spotify: context.spotify(viewer) };
  return { ...services, ...openSources(services) };
}

/** For tables of actions. */
export function memberPost<Result extends object | null, Schema extends z.ZodType>(
  action: MemberAction<Result, Schema>,
): (args: ActionFunctionArgs) => Promise<Response> {
  return (args) => memberAction(args, action);
}
