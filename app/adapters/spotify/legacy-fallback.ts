import { lacksPermission, SpotifyError } from "./spotify";

/**
 * The calls, named by app and call, that go by the legacy route because the current one refused and
 * the legacy one worked. Plain data that may outlive a client.
 */
export type LegacyCalls = Set<string>;

/** The two routes of one call: Spotify's current one and the one it replaced. */
export interface CallRoutes<T> {
  current(): Promise<T>;
  legacy(): Promise<T>;
}

/**
 * Makes a call by the current route, or by the legacy one where the current one refuses: which of
 * the two an app has depends on its age and quota. The route that worked last is tried first.
 * @param call the app and the call, as one key of `legacyCalls`.
 * @throws SpotifyError from the current route where both refuse.
 */
export async function withLegacyFallback<T>(
  legacyCalls: LegacyCalls,
  call: string,
  { current, legacy }: CallRoutes<T>,
): Promise<T> {
  const legacyFirst = legacyCalls.has(call);
  const [first, second] = legacyFirst ? [legacy, current] : [current, legacy];
  try {
    return await first();
  } catch (firstRefusal) {
    if (!isRefused(firstRefusal)) throw firstRefusal;
    try {
      const answer = await second();
      if (legacyFirst) legacyCalls.delete(call);
      else legacyCalls.add(call);
      return answer;
    } catch (secondRefusal) {
      if (!isRefused(secondRefusal)) throw secondRefusal;
      throw legacyFirst ? secondRefusal : firstRefusal;
    }
  }
}

/**
 * Whether the status is one by which Spotify says that an app does not have a route. A permission is
 * only asked for by a route that exists, and both routes ask for the same.
 */
function isRefused(error: unknown): boolean {
  return (
    error instanceof SpotifyError &&
    [403, 404, 410].includes(error.status) &&
    !lacksPermission(error)
  );
}
