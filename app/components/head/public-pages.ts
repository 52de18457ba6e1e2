/** A page for everybody, as search engines and shared links show it. */
export interface PublicPage {
  path: `/${string}`;
  title: string;
  description: string;
}

/** Every page that is there for everybody to find. */
export const publicPages = {
  landing: {
    path: "/",
    title: "Fivefold - promote your music for free",
    description:
      "Rate a few songs by other musicians, add one of yours, and get 5 ratings from people who really listened. Free, with your Spotify Premium account.",
  },
  faq: {
    path: "/faq",
    title: "FAQ - Fivefold",
    description:
      "Short answers: what Fivefold is, how to add a song, what it costs, who sees the ratings, and why listening needs Spotify Premium.",
  },
  ratings: {
    path: "/ratings-of-my-songs",
    title: "Ratings of my songs - Fivefold",
    description:
      "Every song added to Fivefold receives 5 ratings from musicians who listened to it. Log in to read those of your songs; nobody else sees them.",
  },
  imprint: {
    path: "/imprint",
    title: "Imprint and privacy - Fivefold",
    description:
      "Who runs Fivefold and how to reach us; which data is stored, why, and who else is involved; and what your rights are.",
  },
} as const satisfies Record<string, PublicPage>;
