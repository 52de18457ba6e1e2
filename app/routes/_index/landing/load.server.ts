import { faqPage } from "~/components/head/faq-page";
import { publicHead } from "~/components/head/head";
import { endedLoginTexts } from "~/domain/session/ended-login";
import { isEndedBySpotify } from "~/domain/session/spotify-token.server";
import type { RequestContext } from "~/http/context.server";

/** What the landing page shows; with `?ended` also that a login has ended, and by whom if that is known. */
export async function landingScreen(context: RequestContext, query: URLSearchParams) {
  const { config } = context;
  const page = {
    path: "/",
    title: "Fivefold - promote your music for free",
    description:
      "Rate a few songs by other musicians, add one of yours, and get 5 ratings from people who really listened. Free, with your Spotify Premium account.",
  } as const;
  return {
    screen: "landing" as const,
    head: [...publicHead(page, config.appOrigin), faqPage()],
    ended: query.has("ended") ? await endedText(context) : null,
    viewer: null,
  };
}

async function endedText({ db, sessionId }: RequestContext): Promise<string> {
  const bySpotify = await isEndedBySpotify(db, sessionId);
  return bySpotify ? endedLoginTexts.bySpotify : endedLoginTexts.otherwise;
}
