import type { Rejection } from "~/platform/rejection";
import { hearsSpotify } from "./hearing";
import type { Way } from "./identity";
import type { Viewer } from "./viewer.server";

/** What a member lacks to use Spotify here, and the form that mends it; null where Spotify is not open. */
export interface SpotifyGap {
  text: string;
  form: { action: string; label: string } | null;
}

type Purpose = "play" | "add" | "playlist";

/** Each sentence ends with what the purpose is. */
const aims: Record<Purpose, string> = {
  play: "play songs from Spotify",
  add: "submit a song from Spotify",
  playlist: "put songs into your playlists",
};

const closed: Record<Purpose, string> = {
  play: "Songs from Spotify do not play here at the moment.",
  add: "Songs from Spotify cannot be submitted here at the moment.",
  playlist: "Songs cannot be put into playlists here at the moment.",
};

const noPremium =
  "Songs from Spotify play here only with Spotify Premium, which your account there does not have.";

/**
 * What stands between a viewer and what they want of Spotify; null if nothing does. Only playing needs
 * Premium. `isOpen`: the configuration has an app at Spotify.
 */
export function spotifyGap(
  { session }: { session: Pick<Viewer["session"], "spotify" | "way" | "endedBySpotify"> },
  purpose: Purpose,
  isOpen: boolean,
): SpotifyGap | null {
  if (session.spotify !== null) {
    if (purpose !== "play" || hearsSpotify({ session })) return null;
    const action = asksAgain[session.way];
    return { text: noPremium, form: isOpen ? { action, label: "Ask Spotify again" } : null };
  }
  if (!isOpen) return { text: closed[purpose], form: null };
  const text = session.endedBySpotify
    ? `Spotify has ended its connection to Fivefold. Connect it again to ${aims[purpose]}.`
    : `Connect Spotify to ${aims[purpose]}.${purpose === "play" ? " You need Spotify Premium for that." : ""}`;
  return { text, form: { action: connectPath, label: "Connect Spotify" } };
}

export const connectPath = "/account/spotify";

/** A new login asks Spotify again; a session by e-mail would not survive it. */
const asksAgain: Record<Way, string> = { spotify: "/login", email: connectPath };

/** The refusals of what only a connection to Spotify could do. */
export const notConnectedTexts = {
  never: "Connect Spotify first. This works only with it.",
  ended: "Spotify has ended its connection to Fivefold. Connect it again first.",
  closed: "This works only with Spotify, which is not open here at the moment.",
} as const;

export function isNotConnected({ error }: Pick<Rejection, "error">): boolean {
  return error === notConnectedTexts.never || error === notConnectedTexts.ended;
}
