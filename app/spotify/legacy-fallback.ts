import { lacksPermission, SpotifyError } from "./spotify";

/**
 * Number of times in a row that a call's current route refused where the legacy one worked, by app and
 * call. Plain data that may outlive a client.
 */
export type LegacyCalls = Map<string, number>;

/**
 * Number of refusals in a row that mean that the app does not have the current route. A single 403 can be
 * about this one request, and must not move all of the app's calls to a route that Spotify gives up.
 */
const maxRefusals = 3;

/** The two routes of one call: Spotify's current one and the one it replaced. */
export interface CallRoutes<T> {
  current(): Promise<T>;
  legacy(): Promise<T>;
}

/** Makes a call, by its name, by the route that the user's app has. */
export type WithFallback = (name: string, routes: CallRoutes<unknown>) => Promise<unknown>;

/**
 * Makes a call by the current route, or by the legacy one where the current one refuses: which of
 * the two an app has depends on its age and quota. The current route is tried first until it has refused
 * several times in a row, and again once it has worked.
 * @param call the app and the call, as one key of `legacyCalls`.
 * @throws SpotifyError from the current route where both refuse.
 */
export async function withLegacyFallback<T>(
  legacyCalls: LegacyCalls,
  call: string,
  { current, legacy }: CallRoutes<T>,
): Promise<T> {
  const refusals = legacyCalls.get(call) ?? 0;
  const legacyFirst = refusals >= maxRefusals;
  const [first, second] = legacyFirst ? [legacy, current] : [current, legacy];
  try {
    const answer = await first();
    if (!legacyFirst) legacyCalls.delete(call);
    return answer;
  } catch (firstRefusal) {
    if (!isRefused(firstRefusal)) throw firstRefusal;
    try {
      const answer = await second();
      if (legacyFirst) legacyCalls.delete(call);
      else legacyCalls.set(call, firstRefusal.status === 403 ? refusals + 1 : maxRefusals);
      return answer;
    } catch (secondRefusal) {
      if (!isRefused(secondRefusal)) throw secondRefusal;
      throw legacyFirst ? secondRefusal : firstRefusal;
    }
  }
}

/**
 * Checks for a status by which Spotify says that an app does not have a route. One that names a missing
 * permission comes from a route that exists, and the other route needs the same permission.
 */
function isRefused(error: unknown): error is SpotifyError {
  return (
    error instanceof SpotifyError &&
    [403, 404, 410].includes(error.status) &&
    !lacksPermission(error)
  );
}
