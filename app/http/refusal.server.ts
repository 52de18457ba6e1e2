import { isNotConnected, notConnectedTexts } from "~/members/spotify-gap";
import type { Rejection } from "~/platform/rejection";
import type { RequestContext } from "./context.server";
import { type RejectionPage, rejectionResponse } from "./error-response.server";
import { contentSecurityPolicy } from "./security-headers";

/**
 * The response to a member whose post was refused. What only a connection to Spotify could do has a button
 * that connects it and leads to `back`, if Spotify is open.
 */
export function refusal(
  request: Request,
  { config }: Pick<RequestContext, "config">,
  rejection: Rejection,
  page: RejectionPage = {},
): Response {
  if (!isNotConnected(rejection)) return rejectionResponse(request, rejection, page);
  if (config.spotifyClients.length === 0) {
    return rejectionResponse(request, { ...rejection, error: notConnectedTexts.closed }, page);
  }
  const response = rejectionResponse(request, rejection, {
    ...page,
    connect: page.back?.href ?? "/",
  });
  const policy = { nonce: "", scripts: false, accountsUrl: config.spotifyAccountsUrl };
  response.headers.set("Content-Security-Policy", contentSecurityPolicy(policy));
  return response;
}
