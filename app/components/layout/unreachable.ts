/**
 * Checks for the error of a request that got no answer. Every browser throws a TypeError then, as it does for
 * a mistake in the code; only Safari's comes without a stack, and the others' by these names.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof TypeError)) return false;
  return !error.stack || /^(Failed to fetch|NetworkError|network error)/.test(error.message);
}
