/** The browser's part of a login by e-mail, step by step. */
import { env } from "cloudflare:workers";
import { codeOf, linkToken } from "~/login/login-code.server";
import { readConfig } from "~/platform/env";
import { rowsOf } from "../../support/database/contents";
import { unique } from "../../support/database/factories";
import { request } from "../../support/request";
import { cookieOf } from "./login-flow";

const { sessionSecret: secret } = readConfig(env);

/** An address that no other test uses. */
export function freeAddress(): string {
  return `${unique("mail")}@mail.example`;
}

interface Asked {
  /** The network address. */
  from?: string;
  cookie?: string;
  next?: string;
}

export function askForCode(address: string, { from, cookie, next }: Asked = {}): Promise<Response> {
  return request("/login/email", {
    form: { address, ...(next === undefined ? {} : { next }) },
    ...(cookie ? { cookie } : {}),
    headers: from ? { "CF-Connecting-IP": from } : {},
  });
}

/** Asks for a code. @returns the cookie of the login under way. */
export async function beginEmailLogin(address: string, asked?: Asked): Promise<string> {
  const response = await askForCode(address, asked);
  if (response.status !== 303) throw new Error(`no code: ${response.status}`);
  return pendingOf(response);
}

export function pendingOf(response: Response): string {
  return cookieOf(response, "__Host-email-login");
}

export function sessionOf(response: Response): string {
  return cookieOf(response, "__Host-session");
}

async function newestCode(address: string): Promise<string> {
  const rows = await rowsOf(
    "SELECT id FROM mailed_proofs WHERE lower(address) = lower(?) ORDER BY created_at DESC, id DESC",
    address,
  );
  return (rows as { id: string }[])[0]?.id ?? "";
}

/** Of the code that a browser was given last. */
function idIn(pending: string): string {
  const [, payload = ""] = /=([^.]+)\./.exec(decodeURIComponent(pending)) ?? [];
  return (JSON.parse(atob(payload)) as { code: string }).code;
}

/** The code that was mailed for a browser. */
export function codeIn(pending: string): Promise<string> {
  return codeOf(secret, idIn(pending));
}

export async function linkIn(pending: string): Promise<string> {
  return `/login/link?token=${await linkToken(secret, idIn(pending))}`;
}

/** What a browser keeps that has logged in by e-mail. */
export function knownOf(response: Response): string {
  return cookieOf(response, "__Host-known");
}

/** The code that was mailed last. */
export async function codeFor(address: string): Promise<string> {
  return codeOf(secret, await newestCode(address));
}

/** The path of the link that was mailed last. */
export async function linkFor(address: string): Promise<string> {
  return `/login/link?token=${await linkToken(secret, await newestCode(address))}`;
}

/** Codes that differ from the right one, as many as wanted. */
export async function wrongCodes(address: string, count: number): Promise<string[]> {
  const right = Number(await codeFor(address));
  return Array.from({ length: count }, (_, n) =>
    String((right + 1 + n) % 1_000_000).padStart(6, "0"),
  );
}

export function typeCode(code: string, ...cookies: string[]): Promise<Response> {
  return request("/login/code", { cookie: cookies.filter(Boolean).join("; "), form: { code } });
}

export function press(path: string, ...cookies: string[]): Promise<Response> {
  return request(path, { cookie: cookies.filter(Boolean).join("; "), form: { x: "" } });
}

export function giveName(name: string, ...cookies: string[]): Promise<Response> {
  return request("/login/name", { cookie: cookies.filter(Boolean).join("; "), form: { name } });
}

/** Logs in by the code that is mailed. @returns the answer to the last step, a name's for a new account. */
export async function logInByMail(address: string, session = ""): Promise<Response> {
  const pending = await beginEmailLogin(address, session ? { cookie: session } : {});
  const typed = await typeCode(await codeFor(address), pending, session);
  if (typed.headers.get("Location") !== "/login/name") return typed;
  return giveName("Ada Quist", pendingOf(typed), session);
}
