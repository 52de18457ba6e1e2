/** The variables and secrets of a complete production set-up, without bindings. */
export const production = {
  ENVIRONMENT: "production",
  APP_ORIGIN: "https://fivefold.example",
  SESSION_SECRET: "a-session-secret-that-was-drawn-at-random",
  TOKEN_ENCRYPTION_KEY: btoa("32-bytes-that-were-drawn-at-rand"),
  SPOTIFY_CLIENT_ID: "client-of-the-operator",
  SPOTIFY_CLIENT_SECRET: "secret-of-the-operator",
  STRIPE_SECRET_KEY: "sk_live_keyOfTheOperator",
  STRIPE_WEBHOOK_SECRET: "whsec_secretOfTheOperator",
  RESEND_API_KEY: "re_keyOfTheOperator",
  MAIL_FROM: "ratings@fivefold.example",
  OPERATOR_NAME: "The operator",
  CONTACT_EMAIL: "support@fivefold.example",
};
