import { isDataRequest } from "./data-request";

/**
 * Pages that look the same to every visitor without a login. Each is rendered once in an isolate and
 * then served from memory, for ten minutes: the landing page shows figures that change.
 */
const lifetimeMs = 10 * 60 * 1000;

interface CachedPage {
  /** Epoch milliseconds. */
  renderedAt: number;
  body: ArrayBuffer;
  headers: [name: string, value: string][];
  etag: string;
}

/** Keyed by the environment, which is one object for as long as an isolate lives. */
const pagesByEnvironment = new WeakMap<object, Map<string, CachedPage>>();

/** Query parameters that change the page, by their names alone: they say how a login ended. */
const queryNames = ["ended", "declined"];

/** Checks whether a page that every visitor gets may answer a request. */
export function isVisitorRequest({ method, headers }: Request, url: URL): boolean {
  if ((method !== "GET" && method !== "HEAD") || isDataRequest(url)) return false;
  return !headers.get("Cookie")?.includes("__Host-session");
}

/** The part of a query that changes the page, in one spelling, so that nobody's own query gets into it. */
export function visitorQuery({ search, searchParams }: URL): string {
  if (search === "") return "";
  const names = queryNames.filter((name) => searchParams.has(name));
  return names.length > 0 ? `?${names.join("&")}` : "";
}

/**
 * Answers a visitor's request for such a page, from memory if it was rendered lately. Browsers may
 * keep it too, but must ask each time whether it has changed.
 * @param request has no other query than `visitorQuery`.
 * @param env the Worker's environment.
 * @param render renders the page.
 */
export async function servePublicPage(
  request: Request,
  env: object,
  render: () => Promise<Response>,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const path = pathname + search;
  const pages = pagesByEnvironment.get(env) ?? new Map<string, CachedPage>();
  pagesByEnvironment.set(env, pages);
  let page = pages.get(path);
  const now = Date.now();
  if (!page || now - page.renderedAt >= lifetimeMs) {
    const rendered = await render();
    if (rendered.status !== 200 || request.method === "HEAD") return rendered;
    const body = await rendered.arrayBuffer();
    page = { renderedAt: now, body, headers: [...rendered.headers], etag: await etagOf(body) };
    pages.set(path, page);
  }
  const headers = new Headers(page.headers);
  headers.set("Cache-Control", "private, no-cache");
  headers.set("ETag", page.etag);
  if (request.headers.get("If-None-Match") === page.etag) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(request.method === "HEAD" ? null : page.body, { headers });
}

async function etagOf(body: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body)).slice(0, 12);
  return `"${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}"`;
}
