/**
 * Stands in for the package `debug`, by which the login strategy's library tells of each step on
 * request (tsconfig.json, `paths`). Nobody requests it here, while the package itself has the platform
 * start its imitation of Node's process whenever the Worker starts.
 */
export default function debug(): () => void {
  return () => undefined;
}
