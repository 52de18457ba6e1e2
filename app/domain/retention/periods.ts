/** Retention periods, in days, which the privacy policy states too. Sessions end by themselves. */
export const retentionDays = {
  /** Listens, rated or not. */
  listens: 30,
  /** Logins, uploads and ratings in the log. */
  log: 90,
  /** Mails that were sent, not wanted, or failed for good. */
  mails: 30,
  /** Confirmation links that were not used. */
  confirmations: 1,
  /** Ids of Stripe's events. */
  billingEvents: 30,
  /** Random ids of deleted accounts (Analytics Engine). */
  deletions: 90,
  /** That Spotify did not play a song to somebody. */
  refusals: 30,
  /** How far a user who no longer draws songs has walked through the rotation. */
  windows: 30,
  /** How far back the database can be restored (Cloudflare's Time Travel). */
  backups: 30,
} as const;
