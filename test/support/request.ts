import { env, exports } from "cloudflare:workers";

interface RequestOptions {
  /** A Cookie header, as makeSession gives it. */
  cookie?: string;
  method?: string;
  /** Posted as a browser without JavaScript posts a form. */
  form?: Record<string, string>;
  /** Posted as JSON by a caller that wants JSON back. */
  json?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** Asks the built Worker, without following redirects. A path is under the app's own origin. */
export function request(path: string, options: RequestOptions = {}): Promise<Response> {
  const { cookie, form, json, method = form || json ? "POST" : "GET" } = options;
  const headers = new Headers({ Accept: json ? "application/json" : "text/html" });
  if (json) headers.set("Content-Type", "application/json");
  if (cookie) headers.set("Cookie", cookie);
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  const body = form ? new URLSearchParams(form) : json ? JSON.stringify(json) : null;
  return exports.default.fetch(
    new Request(new URL(path, env.APP_ORIGIN), { method, headers, body, redirect: "manual" }),
  );
}
