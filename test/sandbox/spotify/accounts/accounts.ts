/** accounts.spotify.com: the consent page and the token endpoint. */
import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { musicianById } from "../../catalogue.ts";
import { applyFaults, logCall } from "../../http.ts";
import type { SpotifyService } from "../service.ts";
import { type ConsentRequest, consentPage, refusalPage } from "./consent-page.ts";
import { APP, CLIENT_SECRETS, type OAuthError, SCOPES, type TokenAnswer } from "./credentials.ts";

/** The cookie that says who is logged in at Spotify in this browser. */
const LOGGED_IN = "sandbox-spotify-login";

export function accountsRoutes(service: SpotifyService): Hono {
  const app = new Hono();
  const { context, credentials } = service;

  app.get("/authorize", (c) => {
    const request = consentRequest(new URL(c.req.url).searchParams);
    if (typeof request === "string") return c.html(refusalPage(request), 400);
    const error = requestError(request);
    if (error) return c.redirect(redirectUrl(request, { error }));
    const musician = getCookie(c, LOGGED_IN) ?? null;
    if (musician !== null && request.showDialog !== "true") {
      const grant = { musician, client: request.clientId, scope: request.scope };
      if (credentials.isGranted(grant)) {
        const code = credentials.createCode(grant, request.redirectUri);
        return c.redirect(redirectUrl(request, { code }));
      }
    }
    return c.html(consentPage(request, { musician }));
  });

  app.post("/authorize", async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const request = consentRequest(form);
    if (typeof request === "string") return c.html(refusalPage(request), 400);
    const error = requestError(request);
    if (error) return c.redirect(redirectUrl(request, { error }), 303);
    if (form.get("decision") !== "agree") {
      return c.redirect(redirectUrl(request, { error: "access_denied" }), 303);
    }
    const musician = musicianById.get(form.get("musician") ?? "");
    if (!musician)
      return c.html(consentPage(request, { problem: "Choose a musician first." }), 400);
    setCookie(c, LOGGED_IN, musician.id, { path: "/spotify/accounts", httpOnly: true });
    const code = credentials.createCode(
      { musician: musician.id, client: request.clientId, scope: request.scope },
      request.redirectUri,
    );
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

/** The request, or the error text of the page that is shown instead of a redirect. */
function consentRequest(fields: URLSearchParams): ConsentRequest | string {
  const clientId = fields.get("client_id") ?? "";
  if (clientId === "") return "Missing required parameter: client_id";
  if (!CLIENT_SECRETS.has(clientId)) return "INVALID_CLIENT: Invalid client";
  const redirectUri = fields.get("redirect_uri") ?? "";
  if (redirectUri === "") return "Missing required parameter: redirect_uri";
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : null;
  if (url === null || url.hash !== "") return "INVALID_CLIENT: Invalid redirect URI";
  // Plain HTTP is accepted only for loopback addresses, and `localhost` is not one.
  if (url.protocol === "http:" && url.hostname !== "127.0.0.1" && url.hostname !== "[::1]") {
    return "INVALID_CLIENT: Insecure redirect URI";
  }
  if (url.protocol !== "http:") return "INVALID_CLIENT: Invalid redirect URI";
  return {
    clientId,
    redirectUri,
    responseType: fields.get("response_type") ?? "",
    scope: (fields.get("scope") ?? "").split(" ").filter(Boolean).join(" "),
    state: fields.get("state"),
    showDialog: fields.get("show_dialog"),
  };
}

/** The error that an invalid request is redirected back with. */
function requestError(request: ConsentRequest): string | null {
  if (request.responseType !== "code") return "unsupported_response_type";
  if (request.scope.split(" ").some((scope) => scope !== "" && !SCOPES.has(scope))) {
    return "invalid_scope";
  }
  return null;
}

/** The redirect URI with the result and the state. */
function redirectUrl(request: ConsentRequest, result: Record<string, string>): string {
  const url = new URL(request.redirectUri);
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value);
  if (request.state !== null) url.searchParams.set("state", request.state);
  return url.href;
}

function answerToken(c: Context, service: SpotifyService, form: URLSearchParams): Response {
  c.header("Cache-Control", "no-store");
  const type = c.req.header("Content-Type") ?? "";
  if (!type.startsWith("application/x-www-form-urlencoded")) {
    return c.json(
      { error: "unsupported_grant_type", error_description: "grant_type parameter is missing" },
      400,
    );
  }
  const [client, secret] = clientCredentials(c.req.header("Authorization"), form);
  if (client === "") return c.json({ error: "invalid_client" }, 400);
  if (!CLIENT_SECRETS.has(client)) {
    return c.json({ error: "invalid_client", error_description: "Invalid client" }, 400);
  }
  if (CLIENT_SECRETS.get(client) !== secret) {
    return c.json({ error: "invalid_client", error_description: "Invalid client secret" }, 400);
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
    case "authorization_code": {
      const code = form.get("code");
      if (!code) return { error: "invalid_request", error_description: "code must be supplied" };
      return credentials.redeemCode(code, client, form.get("redirect_uri") ?? "");
    }
    case "refresh_token": {
      const token = form.get("refresh_token");
      if (!token) {
        return { error: "invalid_request", error_description: "refresh_token must be supplied" };
      }
      return credentials.refresh(token, client);
    }
    case "client_credentials":
      return credentials.issueToApp(client);
    default:
      return {
        error: "unsupported_grant_type",
        error_description:
          "grant_type must be authorization_code, refresh_token or client_credentials",
      };
  }
}

/** Client id and secret, from Basic authentication or from the form. */
function clientCredentials(
  authorization: string | undefined,
  form: URLSearchParams,
): [string, string] {
  const basic = /^Basic ([A-Za-z0-9+/=]+)$/.exec(authorization ?? "")?.[1];
  if (basic !== undefined) {
    const [id = "", ...rest] = Buffer.from(basic, "base64").toString("utf8").split(":");
    return [id, rest.join(":")];
  }
  return [form.get("client_id") ?? "", form.get("client_secret") ?? ""];
}
