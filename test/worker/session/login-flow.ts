/** The browser's part of a login, step by step, against the sandbox's consent page. */
import { env } from "cloudflare:workers";
import { request } from "../../support/request";

/** A login that POST /login has begun. */
interface BegunLogin {
  /** Spotify's consent page. */
  authorizeUrl: URL;
  /** The Cookie header that carries the login under way. */
  cookie: string;
}

/** Presses the login button. `next` is the screen to return to, as sent by a user's own screens. */
export async function beginLogin(cookie?: string, next?: string): Promise<BegunLogin> {
  const form = next === undefined ? {} : { form: { next } };
  const options = { method: "POST", ...form, ...(cookie ? { cookie } : {}) };
  const response = await request("/login", options);
  return {
    authorizeUrl: new URL(response.headers.get("Location") ?? ""),
    cookie: cookieOf(response, "__Host-login"),
  };
}

/**
 * Submits the form on the consent page.
 * @returns the address that the browser is redirected to.
 */
export async function decide(
  { authorizeUrl }: BegunLogin,
  musician: string,
  decision: "agree" | "deny" = "agree",
): Promise<URL> {
  const page = await (await fetch(authorizeUrl)).text();
  const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1] ?? "";
  const hidden = page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  const fields = [...hidden].map(([, name = "", value = ""]) => [name, plain(value)]);
  const response = await fetch(new URL(action, env.SANDBOX_ORIGIN), {
    method: "POST",
    body: new URLSearchParams([...fields, ["musician", musician], ["decision", decision]]),
    redirect: "manual",
  });
  return new URL(response.headers.get("Location") ?? "");
}

/** Follows the redirect to the app; other cookies may be sent along. */
export function comeBack(callback: URL, ...cookies: string[]): Promise<Response> {
  return request(callback.href, { cookie: cookies.filter(Boolean).join("; ") });
}

/** Logs in. @returns the app's response to the last step. */
export async function logIn(musician: string, sessionCookie = ""): Promise<Response> {
  const login = await beginLogin(sessionCookie);
  return comeBack(await decide(login, musician), login.cookie, sessionCookie);
}

/** The whole Set-Cookie header for a cookie, or "" if there is none. */
export function setCookieOf(response: Response, name: string): string {
  return response.headers.getSetCookie().find((header) => header.startsWith(`${name}=`)) ?? "";
}

/** A cookie set by a response, in the form in which the browser sends it back. */
export function cookieOf(response: Response, name: string): string {
  return setCookieOf(response, name).split(";")[0] ?? "";
}

function plain(text: string): string {
  return text.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
