/**
 * Pages that are the same for every visitor without a login. Each is rendered once in an isolate's
 * life and then given out as it is.
 */
const paths = new Set(["/", "/faq", "/imprint"]);

interface Kept {
  body: ArrayBuffer;
  headers: [name: string, value: string][];
  etag: string;
}

/** By the environment, which is one object as long as an isolate lives. */
const keptBy = new WeakMap<object, Map<string, Kept>>();

/**
 * Answers a visitor's request for such a page, from memory where it was rendered before. Browsers may
 * keep it too, if they ask each time whether it is still the same.
 * @param render the page as the app renders it.
 * @returns null where the request is for something else, or comes with a login.
 */
export async function cachedPublicPage(
  request: Request,
  url: URL,
  env: object,
  render: () => Promise<Response>,
): Promise<Response | null> {
  if (!isForVisitors(request, url)) return null;
  const pages = keptBy.get(env) ?? new Map<string, Kept>();
  keptBy.set(env, pages);
  let page = pages.get(url.pathname);
  if (!page) {
    const rendered = await render();
    if (rendered.status !== 200 || request.method === "HEAD") return rendered;
    const body = await rendered.arrayBuffer();
    page = { body, headers: [...rendered.headers], etag: await etagOf(body) };
    pages.set(url.pathname, page);
  }
  const headers = new Headers(page.headers);
  headers.set("Cache-Control", "private, no-cache");
  headers.set("ETag", page.etag);
  if (request.headers.get("If-None-Match") === page.etag) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(request.method === "HEAD" ? null : page.body, { headers });
}

function isForVisitors({ method, headers }: Request, { pathname, search }: URL): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return search === "" && paths.has(pathname) && !headers.get("Cookie")?.includes("__Host-session");
}

async function etagOf(body: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body)).slice(0, 12);
  return `"${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}"`;
}
