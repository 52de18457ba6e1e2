import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { publicPages } from "~/components/head/public-pages";

/** The pages for everybody, for crawlers (sitemaps.org). */
export function loader({ context }: LoaderFunctionArgs) {
  const urls = Object.values(publicPages).map(
    ({ path }) => `  <url><loc>${context.config.appOrigin}${path}</loc></url>\n`,
  );
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join("")}</urlset>
`;
  return new Response(sitemap, {
    headers: {
      "Content-Type": "application/xml; charset=utf-8",
      "Cache-Control": "public, max-age=86400",
    },
  });
}
