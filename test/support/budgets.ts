/**
 * What the product may cost: the one source of the tests and measurements that test/bench/README.md lists. Bytes are
 * compressed, but for the pictures', and some three percent above what the product weighs.
 */
export const budgets = {
  /** HTML and styles of an informational page, which has no JavaScript. */
  page: 16 * 1024,
  /** The same of the landing page. */
  landingPage: 15 * 1024,
  /** Of these, what styles leave. */
  html: 6 * 1024,
  /** What such a page asks the product for: itself, styles, a logo, the picture for a missing cover. */
  requests: 6,
  /** All scripts of a member's page, the player among them. */
  scripts: 118_000,
  /** The same where a song is added, which reads a file before it travels. */
  addSong: 113_000,
  /** How many files a member's page is made of. */
  parts: 20,
  player: 14_600,
  styles: 11_402,
  /** Before wrangler minifies it to two thirds. */
  worker: 655_000,
  /** What Cloudflare takes of the Worker, and how long it may take to start, in milliseconds of processor time. */
  deployed: { bytes: 3 * 1024 * 1024, startMs: 1000 },
  /** Covers and avatars of a carousel, on a phone at two pixels a point. */
  pictures: 120 * 1024,
  /** Each picture of a screen that documents show. */
  document: 60 * 1024,
  /** Round trips to the database. */
  trips: { page: 2, action: 3 },
  /** Rows read for any screen, and read and written by a rating. */
  rows: { screen: 999, rating: { read: 50, written: 30 } },
  /**
   * By processor time: the landing page as a share of a fixed page with the same headers, and the carousel and the
   * ratings of a bare Remix page, at least; a refusal as a multiple of a plain 404, at most.
   */
  landing: 0.93,
  carousel: 0.57,
  ratings: 0.6,
  refusal: 3,
  /** Of the Worker's isolate, with forty slow uploads and ten listeners. */
  megabytes: 100,
  /** On a phone, four times slowed down and over 1.6 Mbit/s. */
  largestPaintMs: 1000,
  /** Between the pages of a member, from here on a task is long. */
  longTaskMs: 50,
  /** What a line carries more than an own recording needs, in bits a second, for three minutes without a wait. */
  moreBits: 300_000,
  /** Lighthouse's scores, of public pages and of the carousel, at least. */
  scores: { public: 100, carousel: 95 },
};
