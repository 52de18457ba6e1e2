/** Each function returns what the route goes on with, or throws the Response that ends the request. */
import { redirect } from "@remix-run/cloudflare";
import type * as z from "zod";
import { isAmong, type Way } from "~/members/identity";
import { isFreshLogin } from "~/members/lifetime";
import type { Viewer } from "~/members/viewer.server";
import { isRejection, type Rejection, reject } from "~/platform/rejection";
import { beginLogin } from "~/sources/spotify/login/consent-page.server";
import type { RequestContext } from "./context.server";
import {
  loginRequired,
  type RejectionPage,
  rejectionResponse,
  wantsJson,
  wantsPage,
} from "./error-response.server";
import { readFields } from "./fields.server";
import { tooManyRequests } from "./rate-limit";
import { returnPath, withParameter } from "./return-path";

interface RouteArguments {
  request: Request;
  context: RequestContext;
}

/** Refuses visitors, and users whose logins together have sent too many requests. */
export async function requireViewer({ request, context }: RouteArguments): Promise<Viewer> {
  const viewer = await context.viewer();
  if (!viewer) throw loginRequired(request, context);
  if (await context.isOverLimit(viewer.userId)) {
    throw rejectionResponse(request, tooManyRequests, { viewer });
  }
  return viewer;
}

/**
 * Asks for a login within the last hour, where an open browser alone is not enough, by either of the user's
 * ways in. The new login leads to `next`, where the user presses again.
 */
export async function requireFreshLogin(
  { request, context }: RouteArguments,
  viewer: Viewer,
  next: string,
): Promise<void> {
  if (isFreshLogin(viewer.session, context.now())) return;
  if (!wantsPage(request)) {
    const error = "Log in again first";
    throw Response.json({ error, loginAgain: true }, { status: 401 });
  }
  const { spotify, email } = waysToLogIn(context, viewer);
  if (!spotify) throw redirect(withParameter("/login/email", "next", next), 303);
  if (email) throw redirect(withParameter("/login/again", "next", next), 303);
  throw await beginLogin(request, context, next, viewer.userId);
}

export function waysToLogIn({ config }: RequestContext, { spotifyId, ownEmail }: Viewer) {
  return {
    spotify: spotifyId !== null && config.spotifyClients.length > 0,
    email: ownEmail !== null,
  } satisfies Record<Way, boolean>;
}

/** As `returnPath`. Operators may be led to the operator's page, too. */
export function memberReturnPath(
  { config, routes }: RequestContext,
  viewer: Viewer,
  asked: unknown,
): string {
  return returnPath(asked, routes, { isOperator: isAmong(config.operators, viewer) });
}

/** The posted fields as the schema reads them. People read `error` if it refuses them. */
export async function requireFields<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  { error, lists, ...page }: RejectionPage & { error: string; lists?: string[] },
): Promise<z.output<Schema>> {
  const fields = requireAccepted(request, await readFields(request, lists), page);
  const parsed = schema.safeParse(Object.fromEntries(fields));
  if (!parsed.success) throw rejectionResponse(request, reject(422, error), page);
  return parsed.data;
}

export function requireAccepted<Result>(
  request: Request,
  result: Result | Rejection,
  page: RejectionPage = {},
): Result {
  if (isRejection(result)) throw rejectionResponse(request, result, page);
  return result;
}

export function jsonOrRedirect(
  request: Request,
  { json, to, headers = {} }: { json: object; to: string; headers?: HeadersInit },
): Response {
  return wantsJson(request)
    ? Response.json(json, { headers })
    : redirect(to, { status: 303, headers });
}

export function leadTo(path: string) {
  return () => redirect(path);
}
