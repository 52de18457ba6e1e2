/**
 * Stands in for the package `debug`, with which the login strategy's library traces its steps on
 * request. Nobody requests that here, and importing the real package makes the platform set up its
 * emulation of Node's process at every start of the Worker.
 */
export default function debug(): () => void {
  return () => undefined;
}
