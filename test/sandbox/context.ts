/** What every stand-in of the sandbox shares. */
import type { Faults } from "./faults.ts";
import type { RequestLog } from "./request-log.ts";
import type { Store } from "./store.ts";

export interface SandboxContext {
  /** The sandbox's own origin, known once it listens. */
  origin(): string;
  /** Epoch milliseconds. */
  now(): number;
  faults: Faults;
  log: RequestLog;
  store: Store;
  /** What POST /control can do; each stand-in adds its own. */
  actions: Map<string, ControlAction>;
  /** Called by the action "reset": with a musician's id, or without for everything. */
  resets: ((musician?: string) => void)[];
  /** Called before the server closes: ends what runs on its own. */
  closing: (() => void)[];
  /** Links for the page at /. */
  links: { href: string; text: string; note: string }[];
}

/** Takes the posted JSON, answers what the test gets back. Throws ControlError when it makes no sense. */
export type ControlAction = (
  input: Record<string, unknown>,
) => Record<string, unknown> | undefined | Promise<Record<string, unknown>>;

export function controlError(message: string): Error {
  return Object.assign(new Error(message), { name: "ControlError" });
}
