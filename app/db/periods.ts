/**
 * Days for which the product keeps data. The privacy policy states them. Sessions end by themselves. What an
 * address has unsubscribed from or complained of has no period: it counts until that address is confirmed.
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
  /** That mails came back from an address, which may exist again one day. */
  bounces: 90,
  /** Fingerprints of deleted accounts, with the songs that they had rated or that Spotify did not play. */
  departures: 30,
  /** Ids of the payment provider's events. */
  billingEvents: 30,
  /** Spotify's refusals to play a song to somebody. */
  refusals: 30,
  /** Pool windows that have stopped advancing, unless their user waits for a mail that there are songs. */
  windows: 30,
  /** Reports about songs. */
  reports: 90,
  /** Lines of the operators' log. */
  operatorLog: 365,
  /** Wishes for a mail when there are songs to rate again. */
  songWishes: 60,
  /** Playlists that somebody has put a song into. */
  playlistAdds: 1,
  /** Counts of a day's events, which the day's figures take in. These stay. */
  dailyCounts: 30,
} as const;

/** Rows of a user that are kept besides, the newest: a user can cause any number within those days. */
export const newestKept = {
  /** Lines about logins in the log. */
  logins: 100,
  /** Playlists that a song was put into. */
  playlistAdds: 100,
} as const;

/** Days for which Cloudflare keeps data, which the privacy policy states and nobody here can change. */
export const cloudflareDays = {
  /** Random ids of deleted accounts, in the Analytics Engine. */
  deletions: 90,
  /** Earlier states of the database (Time Travel). */
  backups: 30,
} as const;
