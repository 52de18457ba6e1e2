import { faqPage } from "~/components/head/faq";
import { publicHead } from "~/components/head/head";
import { liveFigures } from "~/exchange/community/community";
import { loadLanding } from "~/exchange/community/community.server";
import type { RequestContext } from "~/http/context.server";
import { leadTo } from "~/http/require.server";
import { declinedLoginText, endedLoginTexts } from "~/login/ended-login";
import { removeOneTimeParameters } from "~/platform/one-time-parameters";

/** Where old links to the imprint lead. */
export const toImprint = leadTo("/imprint");

/**
 * The data of the landing page: figures of the community; a note that a login has ended, and by whom if
 * known, for a browser that still has its cookie or comes with `?ended`; and with `?declined` a note that the
 * login was declined. The next login leads to `?next`, or to the screen that was asked for.
 */
export async function landingScreen(
  { config: { appOrigin, offers }, db, sessionId }: RequestContext,
  query: URLSearchParams,
) {
  const page = {
    path: "/",
    title: "Fivefold - promote your music for free",
    description: `Rate a few songs by others, submit one of yours, and it is promised 5 ratings by people who really listen. Free, with ${
      offers.spotify ? "Spotify Premium or your e-mail" : "your e-mail address"
    }.`,
  } as const;
  const { community, endedBySpotify } = await loadLanding(db, sessionId);
  const ended = endedBySpotify ? endedLoginTexts.bySpotify : endedLoginTexts.otherwise;
  const declined = query.has("declined") ? declinedLoginText : null;
  const asked = new URLSearchParams(query);
  removeOneTimeParameters(asked);
  return {
    screen: "landing" as const,
    head: [...publicHead(page, appOrigin), faqPage(offers)],
    notice: query.has("ended") || sessionId !== null ? ended : declined,
    next: query.get("next") ?? (asked.size > 0 ? `/?${asked}` : "/"),
    figures: liveFigures(community),
    offers,
    viewer: null,
  };
}
