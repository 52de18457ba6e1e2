/** Empty, because the real `debug` makes the platform emulate Node's process at every start of the Worker. */
export default function debug(): () => void {
  return () => undefined;
}
