/** The most that the product may weigh, in bytes compressed: some three percent above what it weighs. */
export const budgets = {
  /** HTML and styles of an informational page, which has no JavaScript. */
  page: 16 * 1024,
  /** Of these, what styles leave. */
  html: 6 * 1024,
  /** All scripts of a member's page, the player among them. */
  scripts: 126_000,
  player: 15_200,
  styles: 11_600,
  /** Before wrangler minifies it to two thirds. */
  worker: 636_000,
};
