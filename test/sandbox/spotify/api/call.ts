/** What the routes of the Web API share: the caller, the parameters and the error responses. */
import type { Context } from "hono";
import type { Mode } from "../accounts/credentials.ts";
import type { Person } from "../people.ts";
import type { Shape } from "./objects.ts";

export interface Caller {
  person: Person;
  client: string;
  scopes: string[];
  mode: Mode;
  shape: Shape;
}

export type ApiEnv = { Variables: { caller: Caller } };
export type ApiContext = Context<ApiEnv>;

type ErrorStatus = 400 | 401 | 403 | 404 | 429;

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

/** `limit` and `offset` of the query, or the response that refuses them. */
export function pageOf(
  c: ApiContext,
  { maximum = 50, standard = 20, lastOffset = 100_000 } = {},
): { limit: number; offset: number } | Response {
  const limit = c.req.query("limit") ?? String(standard);
  const offset = c.req.query("offset") ?? "0";
  if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > maximum) {
    return apiError(c, 400, "Invalid limit");
  }
  if (!/^\d+$/.test(offset) || Number(offset) > lastOffset)
    return apiError(c, 400, "Invalid offset");
  return { limit: Number(limit), offset: Number(offset) };
}

/** The JSON body as an object; null if it is empty, the error response if it is not a JSON object. */
export async function jsonBody(c: ApiContext): Promise<Record<string, unknown> | null | Response> {
  const text = await c.req.text();
  if (text.trim() === "") return null;
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && !Array.isArray(body)) {
      return body as Record<string, unknown>;
    }
  } catch {
    // It is not JSON.
  }
  return apiError(c, 400, "Error parsing JSON.");
}
