import { faqPage } from "~/components/head/faq-page";
import { publicHead } from "~/components/head/head";
import type { RequestContext } from "~/http/context.server";

/** What the landing page shows. */
export function landingScreen({ config }: RequestContext, { loginEnded }: { loginEnded: boolean }) {
  const page = {
    path: "/",
    title: "Fivefold - promote your music for free",
    description:
      "Rate a few songs by other musicians, add one of yours, and get 5 ratings from people who really listened. Free, with your Spotify Premium account.",
  } as const;
  return {
    screen: "landing" as const,
    head: [...publicHead(page, config.appOrigin), faqPage()],
    loginEnded,
    viewer: null,
  };
}
