import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import type * as z from "zod";
import type { Viewer } from "~/members/viewer.server";
import { isRejection, type Rejection } from "~/platform/rejection";
import type { RequestContext } from "./context.server";
import { type PageLink, rejectionResponse } from "./error-response.server";
import { jsonOrRedirect, requireFields, requireViewer } from "./require.server";
import { returnPath } from "./return-path";

interface MemberPost<Fields> {
  request: Request;
  context: RequestContext;
  viewer: Viewer;
  songId: string;
  fields: Fields;
  /** The page that the field `next` names, or the front page. */
  next: string;
}

/**
 * What a route does with a member's post:
 * 1. asks who the member is, and counts the user's limit;
 * 2. reads `fields`, if the route has any; where the schema refuses them, people read `error`;
 * 3. calls `run`, which may return a rejection;
 * 4. answers `json` to programs, and leads browsers to the page `to`.
 *
 * Without `json` the answer is what `run` returned, or `{ ok: true }` if that is null. `back` is the button of
 * the page that shows a rejection. `lists` are the fields that may have several values (`readFields`).
 *
 * Call it within `action` and not as `export const action = memberAction(…)`: esbuild could not leave a call
 * out of the browser's scripts.
 */
export async function memberAction<Result extends object | null, Schema extends z.ZodType>(
  { request, params, context }: ActionFunctionArgs,
  action: {
    fields?: Schema;
    error?: string;
    lists?: string[];
    run(post: MemberPost<z.output<Schema>>): Promise<Result | Rejection>;
    json?(post: MemberPost<z.output<Schema>>, result: Result): object;
    to: string | ((post: MemberPost<z.output<Schema>>, result: Result) => string);
    back?:
      | PageLink
      | ((post: MemberPost<z.output<Schema>>, why: Rejection) => PageLink | undefined);
  },
): Promise<Response> {
  const { error = "The request could not be read.", lists = [], run, json, to, back } = action;
  const viewer = await requireViewer({ request, context });
  const page = { viewer, back: typeof back === "function" ? undefined : back };
  const fields = action.fields
    ? await requireFields(request, action.fields, { error, lists, ...page })
    : undefined;
  const post = {
    request,
    context,
    viewer,
    songId: params.songId ?? "",
    fields: fields as z.output<Schema>,
    next: returnPath((fields as { next?: unknown } | undefined)?.next, context.routes),
  };
  const result = await run(post);
  if (isRejection(result)) {
    const button = typeof back === "function" ? back(post, result) : back;
    throw rejectionResponse(request, result, { viewer, back: button });
  }
  return jsonOrRedirect(request, {
    json: json?.(post, result) ?? result ?? { ok: true },
    to: typeof to === "function" ? to(post, result) : to,
  });
}
