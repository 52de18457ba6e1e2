import { createExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { worker } from "./worker";

interface RequestOptions {
  cookie?: string;
  method?: string;
  form?: Record<string, string>;
  json?: Record<string, unknown>;
  body?: BodyInit;
  headers?: Record<string, string>;
  bindings?: object;
}

/** The route of each page whose data tests read, by how its path begins. */
const dataRoutes: [path: RegExp, routeId: string][] = [
  [/^\/$/, "routes/_index"],
  [/^\/account$/, "routes/account"],
  [/^\/rated$/, "routes/rated"],
  [/^\/ratings-of-my-songs$/, "routes/ratings-of-my-songs"],
  [/^\/ratings-of-my-songs\//, "routes/ratings-of-my-songs_.-songId"],
  [/^\/r\//, "routes/r.-token"],
  [/^\/rounds$/, "routes/rounds"],
  [/^\/rounds\//, "routes/rounds_.-token"],
  [/^\/songs\/[^/]+\/playlist$/, "routes/songs.-songId.playlist"],
];

export function dataOf(page: string): string {
  const { pathname, searchParams } = new URL(page, env.APP_ORIGIN);
  const [, routeId] = dataRoutes.find(([path]) => path.test(pathname)) ?? [];
  if (!routeId) throw new Error(`${page} has no data`);
  searchParams.set("_data", routeId);
  return `${pathname}?${searchParams}`;
}

/** Sends a request to the built Worker, without following redirects. A path is relative to the app's origin. */
export function request(path: string, options: RequestOptions = {}): Promise<Response> {
  const { cookie, form, json } = options;
  const body = options.body ?? (form ? new URLSearchParams(form) : json && JSON.stringify(json));
  const method = options.method ?? (body === undefined ? "GET" : "POST");
  const headers = new Headers({ Accept: json ? "application/json" : "text/html" });
  if (json) headers.set("Content-Type", "application/json");
  if (cookie) headers.set("Cookie", cookie);
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  const init: RequestInit = { method, headers, body: body ?? null, redirect: "manual" };
  const asked = new Request(new URL(path, env.APP_ORIGIN), init);
  return options.bindings
    ? worker.fetch(asked, options.bindings, createExecutionContext())
    : exports.default.fetch(asked);
}
