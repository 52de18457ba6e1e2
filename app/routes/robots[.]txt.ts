import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

/** The paths that crawlers must not read (RFC 9309), and the address of the sitemap. */
export function loader({ context }: LoaderFunctionArgs) {
  const disallowed = context.routes.pathsWhere(({ crawlers }) => crawlers === "disallowed");
  const lines = [
    "User-agent: *",
    ...disallowed.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${context.config.appOrigin}/sitemap.xml`,
    "",
  ];
  return new Response(lines.join("\n"), {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "public, max-age=86400",
    },
  });
}
