/** The paths of all pages. Pages that need more, such as a token, show here that it is missing. */
export const pages = [
  "/",
  "/account",
  "/confirm-email",
  "/faq",
  "/imprint",
  "/r/none",
  "/rated",
  "/ratings-of-my-songs",
  "/ratings-of-my-songs/none",
  "/songs/none/pass/reason",
  "/songs/none/playlist",
  "/subscribe",
  "/subscription-success",
  "/unsubscribe",
] as const;
