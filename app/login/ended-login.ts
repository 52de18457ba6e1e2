/** Spotify is named only where it is known to have ended the login. */
export const endedLoginTexts = {
  bySpotify: "Spotify has ended your login. Log in again.",
  otherwise: "Your login has ended. Log in again.",
} as const;

export const declinedLoginText =
  "You chose not to log in, so nothing was stored. You can log in whenever you like.";
