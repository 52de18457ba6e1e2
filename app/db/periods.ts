/**
 * How long the product keeps data; the privacy policy states it. What an address has unsubscribed from or
 * complained of has no period, because it counts until somebody confirms that address.
 */
export const retentionDays = {
  listens: 30,
  log: 90,
  mails: 30,
  /** Codes and links that are mailed to an address. The records of codes' mails go with them. */
  proofs: 1,
  /** An address that mails came back from may exist again one day. */
  bounces: 90,
  /** Fingerprints of deleted accounts, with the songs that they had rated or that Spotify did not play. */
  departures: 30,
  billingEvents: 30,
  declarations: 90,
  refusals: 30,
  /** Pool windows that no longer advance, unless their user waits for a mail that there are songs. */
  windows: 30,
  reports: 90,
  /** What outsiders have reported, from the decision on. */
  notices: 180,
  operatorLog: 365,
  songWishes: 60,
  /** Of those who want to know when a song is out. */
  releaseWishes: 365,
  playlistAdds: 1,
  /** Uploads that nobody has submitted. */
  drafts: 1,
  /** Files of own recordings, from when their song has left the rotation. */
  files: 90,
  /** Rounds that too few had joined. */
  roundsEnded: 30,
  /** The day's figures have taken them in, and stay. */
  dailyCounts: 30,
} as const;

/** The newest rows of a user that are kept. A user can cause any number of them within those days. */
export const newestKept = {
  logins: 100,
  playlistAdds: 100,
} as const;

/** What Cloudflare keeps. The privacy policy states these days, and nobody here can change them. */
export const cloudflareDays = {
  /** Random ids of deleted accounts, in the Analytics Engine. */
  deletions: 90,
  /** Earlier states of the database (Time Travel). */
  backups: 30,
} as const;
