/** What the routes of the Web API share: the caller, the parameters and the error responses. */
import type { Context } from "hono";
import type { Mode } from "../accounts/credentials.ts";
import type { Person } from "../people.ts";
import type { Shape } from "./objects.ts";

interface Caller {
  person: Person;
  scopes: string[];
  mode: Mode;
  shape: Shape;
}

export type ApiEnv = { Variables: { caller: Caller } };
export type ApiContext = Context<ApiEnv>;

type ErrorStatus = 400 | 401 | 403 | 404;

/** The Web API's error object; only player errors have a `reason`. */
export function apiError(
  c: Context,
  status: ErrorStatus,
  message: string,
  reason?: string,
): Response {
  return c.json(
    { error: { status, message, ...(reason === undefined ? {} : { reason }) } },
    status,
  );
}

/** Null if the token has one of the scopes, otherwise the response. */
export function missingScope(c: ApiContext, ...anyOf: string[]): Response | null {
  const { scopes } = c.get("caller");
  return anyOf.some((scope) => scopes.includes(scope))
    ? null
    : apiError(c, 403, "Insufficient client scope");
}

export function pageOf(
  c: ApiContext,
  { maximum = 50, standard = 20 } = {},
): { limit: number; offset: number } | Response {
  const limit = Number(c.req.query("limit") ?? standard);
  const offset = Number(c.req.query("offset") ?? 0);
  return limit >= 1 && limit <= maximum && offset >= 0
    ? { limit, offset }
    : apiError(c, 400, "Invalid limit");
}

export async function jsonBody(c: ApiContext): Promise<Record<string, unknown>> {
  const text = await c.req.text();
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}
