import { isDataRequest } from "./data-request";

const lifetimeMs = 10 * 60 * 1000;

interface CachedPage {
  renderedAt: number;
  body: ArrayBuffer;
  headers: [name: string, value: string][];
  etag: string;
}

const pagesByEnvironment = new WeakMap<object, Map<string, CachedPage>>();

/** Query parameters that change the page, whatever their values. */
const changingParameters = ["ended", "declined"];

export function isVisitorRequest({ method, headers }: Request, url: URL): boolean {
  if ((method !== "GET" && method !== "HEAD") || isDataRequest(url)) return false;
  return !headers.get("Cookie")?.includes("__Host-session");
}

/** The part of a query that changes the page, in one spelling, so that nobody's own query gets into it. */
export function visitorQuery({ search, searchParams }: URL): string {
  if (search === "") return "";
  const names = changingParameters.filter((name) => searchParams.has(name));
  return names.length > 0 ? `?${names.join("&")}` : "";
}

/** Answers a visitor from memory if this isolate has rendered the page. The query must be `visitorQuery`. */
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
