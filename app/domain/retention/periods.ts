/**
 * How long the product keeps data, in days. The privacy policy states it. Sessions end by themselves.
 * What an address has unsubscribed from has no period: it counts until that address is confirmed.
 */
export const retentionDays = {
  /** Listens, rated or not. */
  listens: 30,
  /** Logins, uploads and ratings in the log. */
  log: 90,
  /** Mails that were sent, not wanted, or failed for good. */
  mails: 30,
  /** Confirmation links that were not used. */
  confirmations: 1,
  /** That an account was deleted, and which songs it had rated or was not played. */
  departures: 30,
  /** Ids of the payment provider's events. */
  billingEvents: 30,
  /** That Spotify did not play a song to somebody. */
  refusals: 30,
  /**
   * How far a user who gets no further has walked through the rotation, unless they wait for a mail
   * that there are songs.
   */
  windows: 30,
  /** What was reported about songs. */
  reports: 90,
  /** That somebody has asked for a mail when there are songs to rate again. */
  songWishes: 60,
  /** Into which playlist somebody has put a song: for as long as the song is offered to them. */
  playlistAdds: 1,
} as const;

/** How long Cloudflare keeps data, in days, which the privacy policy states and nobody here can change. */
export const cloudflareDays = {
  /** Random ids of deleted accounts, in the Analytics Engine. */
  deletions: 90,
  /** How far back the database can be restored (Time Travel). */
  backups: 30,
} as const;
