import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { request } from "../../support/request";

const origin = env.APP_ORIGIN;
/** The pages for everybody. */
const paths = ["/", "/faq", "/imprint", "/numbers", "/ratings-of-my-songs", "/terms", "/try"];

async function closedPaths(): Promise<string[]> {
  const text = await (await request("/robots.txt")).text();
  return [...text.matchAll(/^Disallow: (\S+)$/gm)].map(([, path = ""]) => path);
}

test.each([
  "/account",
  "/rated",
  "/unsubscribe?token=x",
  "/confirm-email?token=x",
  "/subscription-success?session_id=x",
  "/auth/spotify/callback?code=x",
  "/login/email?next=x",
  "/login/code",
  "/login/link?token=x",
  "/login/name",
])("robots.txt keeps crawlers out of %s", async (path) => {
  expect((await closedPaths()).filter((closed) => path.startsWith(closed))).toHaveLength(1);
});

test("robots.txt lets every crawler read what is for everybody, and links to the sitemap", async () => {
  const text = await (await request("/robots.txt")).text();
  expect(text).toMatch(/^User-agent: \*\n/);
  expect(text).toMatch(new RegExp(`^Sitemap: ${origin}/sitemap.xml$`, "m"));
  const closed = await closedPaths();
  for (const path of [...paths, "/build/_assets/app.css", "/social.png"]) {
    expect(closed.filter((beginning) => path.startsWith(beginning))).toEqual([]);
  }
});

test("the sitemap lists the pages for everybody, and each of them exists", async () => {
  const text = await (await request("/sitemap.xml")).text();
  expect(text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="[^"]+">/);
  const listed = [...text.matchAll(/<url><loc>([^<]+)<\/loc><\/url>/g)].map(([, url = ""]) => url);
  expect(listed.sort()).toEqual(paths.map((path) => `${origin}${path}`));
  for (const url of listed) expect((await request(url)).status).toBe(200);
});

test.each([
  { path: "/robots.txt", type: "text/plain; charset=utf-8" },
  { path: "/sitemap.xml", type: "application/xml; charset=utf-8" },
])("$path responds to GET and HEAD, and may be cached for a day", async ({ path, type }) => {
  for (const method of ["GET", "HEAD"]) {
    const { status, headers } = await request(path, { method });
    expect([status, headers.get("Content-Type")]).toEqual([200, type]);
    expect(headers.get("Cache-Control")).toBe("public, max-age=86400");
  }
});
