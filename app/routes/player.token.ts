import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { SpotifyError, SpotifyLoginEnded } from "~/adapters/spotify/spotify";
import { texts } from "~/domain/listening/listening.server";
import { spotifyToken } from "~/domain/session/spotify-token.server";

/** A short-lived access token for the player, for the user whose token it is. */
export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  if (!viewer) return Response.json({ error: texts.loginEnded }, { status: 401 });
  try {
    return Response.json(
      await spotifyToken(context.db, context.config, viewer.session, context.now),
    );
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    const ended = error instanceof SpotifyLoginEnded;
    return Response.json(
      { error: ended ? texts.loginEnded : texts.playbackFailed },
      { status: ended ? 401 : 503 },
    );
  }
}
