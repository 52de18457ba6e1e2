import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

/** What is nobody's to find: one person's own pages, and steps on the way to somewhere. */
const closed = [
  "/account",
  "/auth/",
  "/confirm-email",
  "/subscribe",
  "/subscription-cancel",
  "/subscription-success",
  "/unsubscribe",
];

/** What crawlers may read (RFC 9309), and where the list of it is. */
export function loader({ context }: LoaderFunctionArgs) {
  const lines = [
    "User-agent: *",
    ...closed.map((path) => `Disallow: ${path}`),
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
