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

async function newestCode(address: string): Promise<string> {
  const rows = await rowsOf(
    "SELECT id FROM mailed_proofs WHERE lower(address) = lower(?) ORDER BY created_at DESC, id DESC",
    address,
  );
  return (rows as { id: string }[])[0]?.id ?? "";
}

/** The code that was mailed last. */
export async function codeFor(address: string): Promise<string> {
  return codeOf(secret, await newestCode(address));
}

/** The path of the link that was mailed last. */
export async function linkFor(address: string): Promise<string> {
  return `/login/link?token=${await linkToken(secret, await newestCode(address))}`;
}

export function typeCode(code: string, ...cookies: string[]): Promise<Response> {
  return request("/login/code", { cookie: cookies.filter(Boolean).join("; "), form: { code } });
}

export function press(path: string, ...cookies: string[]): Promise<Response> {
  return request(path, { cookie: cookies.filter(Boolean).join("; "), form: { x: "" } });
}
