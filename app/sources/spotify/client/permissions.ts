/** The eight permissions asked for at login (rule 1, ways in). */
export const loginScopes = [
  "user-read-currently-playing",
  "user-read-playback-state",
  "user-modify-playback-state",
  "user-library-read",
  "user-library-modify",
  "streaming",
  "user-read-email",
  "user-read-private",
];

/** The same for people, who read it before they log in. */
export const loginScopesInWords =
  "Spotify will ask you whether Fivefold may play songs, see what plays, see and change your favorites, and read your name, e-mail address, country and plan.";
