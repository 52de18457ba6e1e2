/** Parameters of an address for messages about what has just happened. */
const oneTimeParameters = [
  "rated",
  "saved",
  "ended",
  "declined",
  "passed",
  "drawn",
  "uncharged",
  "left",
];

/**
 * Scripts call this once a screen has read them, so that neither Back nor a reload shows the message again.
 */
export function removeOneTimeParameters(query: URLSearchParams): void {
  for (const name of oneTimeParameters) query.delete(name);
}
