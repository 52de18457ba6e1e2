/** accounts.spotify.com: the consent page and the token endpoint. */
import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { musicianById } from "../../catalogue.ts";
import { applyFaults, logCall } from "../../http.ts";
import type { SpotifyService } from "../service.ts";
import { type ConsentRequest, consentPage, refusalPage } from "./consent-page.ts";
import { APP, CLIENT_SECRETS, type OAuthError, type TokenAnswer } from "./credentials.ts";

const LOGGED_IN = "sandbox-spotify-login";

export function accountsRoutes(service: SpotifyService): Hono {
  const app = new Hono();
  const { context, credentials } = service;

  app.get("/authorize", (c) => {
    const request = consentRequest(new URL(c.req.url).searchParams);
    if (!request) return c.html(refusalPage(), 400);
    const musician = getCookie(c, LOGGED_IN) ?? null;
    if (musician !== null && request.showDialog !== "true") {
      const grant = { musician, client: request.clientId, scope: request.scope };
      if (credentials.isGranted(grant)) {
        const code = credentials.createCode(grant, request.redirectUri);
        return c.redirect(redirectUrl(request, { code }));
      }
    }
    return c.html(consentPage(request, musician));
  });

  app.post("/authorize", async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const request = consentRequest(form);
    const musician = musicianById.get(form.get("musician") ?? "");
    if (!request) return c.html(refusalPage(), 400);
    if (form.get("decision") !== "agree" || !musician) {
      return c.redirect(redirectUrl(request, { error: "access_denied" }), 303);
    }
    setCookie(c, LOGGED_IN, musician.id, { path: "/spotify/accounts", httpOnly: true });
    const grant = { musician: musician.id, client: request.clientId, scope: request.scope };
    const code = credentials.createCode(grant, request.redirectUri);
    return c.redirect(redirectUrl(request, { code }), 303);
  });

  app.post("/api/token", async (c) => {
    const body = await c.req.text();
    const form = new URLSearchParams(body);
    const musician =
      form.get("grant_type") === "client_credentials"
        ? APP
        : credentials.musicianWith(form.get("code") ?? form.get("refresh_token") ?? "");
    const path = "/api/token";
    const failure = await applyFaults(c, context.faults, path, musician);
    const response = failure ?? answerToken(c, service, form);
    await logCall(context, c, { service: "spotify", musician, path, body, response });
    return response;
  });

  return app;
}

/** Null if the client or its redirect URI cannot be trusted. */
function consentRequest(fields: URLSearchParams): ConsentRequest | null {
  const clientId = fields.get("client_id") ?? "";
  const redirectUri = fields.get("redirect_uri") ?? "";
  // Plain HTTP is accepted only for loopback addresses, and `localhost` is not one.
  if (!CLIENT_SECRETS.has(clientId) || !redirectUri.startsWith("http://127.0.0.1:")) return null;
  return {
    clientId,
    redirectUri,
    scope: fields.get("scope") ?? "",
    state: fields.get("state"),
    showDialog: fields.get("show_dialog"),
  };
}

function redirectUrl(request: ConsentRequest, result: Record<string, string>): string {
  const url = new URL(request.redirectUri);
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value);
  if (request.state !== null) url.searchParams.set("state", request.state);
  return url.href;
}

function answerToken(c: Context, service: SpotifyService, form: URLSearchParams): Response {
  const [client, secret] = clientCredentials(c.req.header("Authorization"), form);
  if (CLIENT_SECRETS.get(client) !== secret) {
    return c.json({ error: "invalid_client", error_description: "Invalid client" }, 400);
  }
  const answer = grant(service, client, form);
  return "error" in answer ? c.json(answer, 400) : c.json(answer);
}

function grant(
  { credentials }: SpotifyService,
  client: string,
  form: URLSearchParams,
): Omit<TokenAnswer, "scope"> | OAuthError {
  switch (form.get("grant_type")) {
    case "authorization_code":
      return credentials.redeemCode(form.get("code") ?? "", client, form.get("redirect_uri") ?? "");
    case "refresh_token":
      return credentials.refresh(form.get("refresh_token") ?? "", client);
    default:
      return credentials.issueToApp(client);
  }
}

function clientCredentials(
  authorization: string | undefined,
  form: URLSearchParams,
): [string, string] {
  const basic = /^Basic ([A-Za-z0-9+/=]+)$/.exec(authorization ?? "")?.[1];
  if (basic === undefined) return [form.get("client_id") ?? "", form.get("client_secret") ?? ""];
  const [id = "", secret = ""] = Buffer.from(basic, "base64").toString("utf8").split(":");
  return [id, secret];
}
