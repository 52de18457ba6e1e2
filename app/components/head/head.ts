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

const ownPicture = {
  path: "/social.png",
  alt: "Fivefold's mark, five tally strokes, beside the words: Promote your music for free. Play your song to five strangers.",
};

export function publicHead(page: PublicPage, origin: string): HeadTag[] {
  return [
    { title: page.title },
    { name: "description", content: page.description },
    ...previewTags(page, origin, ownPicture),
  ];
}

/** `picture` is as large as the product's own, which stands in its place. */
export function sharedHead(
  { picture, ...page }: PublicPage & { picture: { path: string; alt: string } | null },
  origin: string,
): HeadTag[] {
  return [
    { title: `${page.title} - Fivefold` },
    { name: "description", content: page.description },
    { name: "robots", content: "noindex" },
    ...previewTags(page, origin, picture ?? ownPicture),
  ];
}

/** Addresses in a head must be absolute. */
function previewTags(
  { path, title, description }: PublicPage,
  origin: string,
  image: { path: string; alt: string },
): HeadTag[] {
  const url = new URL(path, origin).href;
  return [
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:site_name", content: "Fivefold" },
    { property: "og:type", content: "website" },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: url },
    { property: "og:image", content: new URL(image.path, origin).href },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { property: "og:image:alt", content: image.alt },
    { name: "twitter:card", content: "summary_large_image" },
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
