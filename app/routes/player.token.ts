import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { SpotifyError, SpotifyLoginEnded } from "~/adapters/spotify/spotify";
import { listenErrors } from "~/domain/listening/listening.server";
import { loginEndedText } from "~/domain/refusal";

/**
 * A short-lived access token for the player, for the user whose token it is; with `?refused` another
 * one than the last, which Spotify would not take.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  if (!viewer) return Response.json({ error: loginEndedText }, { status: 401 });
  try {
    const refused = new URL(request.url).searchParams.has("refused");
    return Response.json(await context.spotifyToken(viewer, refused));
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    const ended = error instanceof SpotifyLoginEnded;
    return Response.json(
      { error: ended ? loginEndedText : listenErrors.playbackFailed },
      { status: ended ? 401 : 503 },
    );
  }
}
