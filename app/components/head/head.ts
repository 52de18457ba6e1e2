/**
 * Titles and tags of pages. On the carousel only loaders use them, so that browsers do not download what only
 * crawlers read.
 */

export interface PublicPage {
  path: `/${string}`;
  title: string;
  description: string;
}

export type HeadTag =
  | { title: string }
  | { name: string; content: string }
  | { property: string; content: string }
  | { tagName: "link"; rel: string; href: string };

const picture = {
  path: "/social.png",
  width: "1200",
  height: "630",
  alt: "Fivefold's mark, five tally strokes, beside the words: Promote your music for free. Play your song to five strangers.",
};

export function publicHead(page: PublicPage, origin: string): HeadTag[] {
  return [
    { title: page.title },
    { name: "description", content: page.description },
    ...previewTags(page, origin, picture.path),
    { property: "og:image:width", content: picture.width },
    { property: "og:image:height", content: picture.height },
    { property: "og:image:alt", content: picture.alt },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

export function sharedHead(
  { picture: cover, ...page }: PublicPage & { picture: string | null },
  origin: string,
): HeadTag[] {
  return [
    { title: `${page.title} - Fivefold` },
    { name: "description", content: page.description },
    { name: "robots", content: "noindex" },
    ...previewTags(page, origin, cover ?? picture.path),
    { name: "twitter:card", content: "summary" },
  ];
}

/** Addresses in a head must be absolute. */
function previewTags(
  { path, title, description }: PublicPage,
  origin: string,
  image: string,
): HeadTag[] {
  const url = new URL(path, origin).href;
  return [
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:site_name", content: "Fivefold" },
    { property: "og:type", content: "website" },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: url },
    { property: "og:image", content: new URL(image, origin).href },
  ];
}

export function privateHead(title: string): HeadTag[] {
  const description = "A personal page at Fivefold, where musicians rate each other's songs.";
  return [
    { title },
    { name: "description", content: description },
    { name: "robots", content: "noindex" },
  ];
}
