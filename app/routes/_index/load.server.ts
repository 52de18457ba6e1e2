import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { loadAddSongScreen } from "./add-song/load.server";
import { loadCarouselScreen } from "./carousel/load.server";
import { landingScreen } from "./landing/load.server";
import { loadSongAddedScreen } from "./song-added/load.server";

/** The data of the landing page, or for a logged-in user of the screen that `menu` names. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const { sessionId } = context;
  const screen = sessionId ? await memberScreen() : null;
  if (!screen) context.noteEndedLogin();
  return screen ?? (await landingScreen(context, query));

  function memberScreen() {
    switch (query.get("menu")) {
      case "addownsong":
        return loadAddSongScreen(context, query);
      case "songaddedtopool":
        return loadSongAddedScreen(context, query);
      case "imprintdataprivacy":
        throw redirect("/imprint");
      default:
        return loadCarouselScreen(context, query);
    }
  }
}
