import { lacksPermission, SpotifyError } from "./spotify";

/** By app and call, how many times in a row the current route refused where the legacy one worked. */
export type LegacyCalls = Map<string, number>;

/** A single 403 can be about one request, and must not move all calls to a route that Spotify gives up. */
const maxRefusals = 3;

interface CallRoutes<T> {
  current(): Promise<T>;
  legacy(): Promise<T>;
}

export type WithFallback = (name: string, routes: CallRoutes<unknown>) => Promise<unknown>;

/**
 * Which of the two routes an app has depends on its age and quota. The current route is tried first until it
 * has refused several times in a row, and again once it has worked. Where both refuse, its error is thrown.
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

/** A missing permission does not count, because the other route needs it too. */
function isRefused(error: unknown): error is SpotifyError {
  return (
    error instanceof SpotifyError &&
    [403, 404, 410].includes(error.status) &&
    !lacksPermission(error)
  );
}
