import { SpotifyError } from "./spotify";

/**
 * Which calls of which app go by the old route, because the new one refused and the old one worked.
 * Plain data that may outlive a client.
 */
export type OldRoutes = Set<string>;

/**
 * Asks by the new route, and by the old one where the new one refuses: which of them an app has
 * depends on its age and quota. The one that worked last is asked first.
 * @param call names app and call in `oldRoutes`.
 * @throws SpotifyError where both refuse: the new route's.
 */
export async function withLegacyFallback<T>(
  oldRoutes: OldRoutes,
  call: string,
  askNew: () => Promise<T>,
  askOld: () => Promise<T>,
): Promise<T> {
  const oldFirst = oldRoutes.has(call);
  const [first, second] = oldFirst ? [askOld, askNew] : [askNew, askOld];
  try {
    return await first();
  } catch (firstRefusal) {
    if (!isRefused(firstRefusal)) throw firstRefusal;
    try {
      const answer = await second();
      if (oldFirst) oldRoutes.delete(call);
      else oldRoutes.add(call);
      return answer;
    } catch (secondRefusal) {
      if (!isRefused(secondRefusal)) throw secondRefusal;
      throw oldFirst ? secondRefusal : firstRefusal;
    }
  }
}

/** The statuses by which Spotify says that an app does not have a route. */
function isRefused(error: unknown): boolean {
  return error instanceof SpotifyError && [403, 404, 410].includes(error.status);
}
