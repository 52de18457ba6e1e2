import { notConnectedTexts } from "~/members/spotify-gap";
import { earlyText } from "~/sources/listen";
import type { Judgement } from "./progress";

const privateSession =
  "A private session hides it from us: end it in the settings of your Spotify app, under Privacy.";

export const playErrors = {
  refused:
    "Spotify does not play this song where you are. That is not your fault and costs you nothing. Choose another one.",
  hidden:
    "This song is marked as explicit, and your Spotify hides explicit songs. That costs you nothing: choose “I can't rate this”, and it leaves your list.",
  mayBeHidden:
    "Spotify does not start this song, which is marked as explicit. If your Spotify hides explicit songs, choose “I can't rate this”. If not, try again.",
  private:
    "Your Spotify is in a private session, which hides from us what you play. End it in the settings of your Spotify app, under Privacy, and play on.",
  limited: "Spotify asks us to slow down. What you have heard still counts. Try again in a moment.",
  notAllowed: "Spotify did not let us see what is playing. Log in again and play the song.",
  noDevice: `Spotify is not open on any of your devices. Open your Spotify app, start any song there, go back and press PLAY SONG again. Is it open already? ${privateSession} Songs play in this page only with JavaScript, once the player is ready.`,
  notConnected: notConnectedTexts.never,
  premiumRequired: "You need Spotify Premium to play songs from Spotify.",
  playbackFailed: "The song did not start. Try again.",
} as const;

export const notHeardErrors: Record<Exclude<Judgement["is"], "heard">, string> = {
  early: earlyText,
  "found again": earlyText,
  unconfirmed: "Spotify cannot tell us right now what is playing. Try again in a moment.",
  paused: "The song was paused too early. Resume, and your time goes on.",
  "wrong-song": "Another song is playing. Go back to yours to rate it.",
  unknown: `Spotify does not tell us what is playing. What you have heard still counts: let the song play, and try again in a moment. ${privateSession}`,
};

export const returnErrors = {
  unplayable:
    "Spotify still does not play this song. Try again once it plays there. Until then, it keeps the ratings it is owed.",
  outage: "Spotify is not answering right now. Your song is still resting. Try again in a moment.",
  refused:
    "Spotify does not tell us whether it plays this song, so it is still resting. Try again later.",
} as const;
