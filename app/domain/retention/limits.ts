/** For how many days what is kept, as the privacy policy says it. Sessions end by themselves. */
export const retentionDays = {
  /** Listens, rated or not. */
  listens: 30,
  /** Logins, uploads and ratings in the log. */
  log: 90,
  /** Mails that are out, not wanted, or failed for good. */
  mails: 30,
  /** Links that confirm an address and were not pressed. */
  confirmations: 1,
  /** Ids of Stripe's events. */
  billingEvents: 30,
  /** The random numbers of accounts that were deleted (Analytics Engine). */
  deletions: 90,
  /** Which songs wait for somebody who draws none any more. */
  windows: 30,
  /** How far back the database can be restored (Cloudflare's Time Travel). */
  backups: 30,
} as const;
