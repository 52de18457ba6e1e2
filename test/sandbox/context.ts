/** What all stand-ins of the sandbox share. */
import type { ControlAction } from "./control-action.ts";
import type { Faults } from "./faults.ts";
import type { RequestLog } from "./request-log.ts";
import type { Store } from "./store.ts";

export interface SandboxContext {
  /** The sandbox's own origin; known once the server listens. */
  origin(): string;
  now(): number;
  faults: Faults;
  log: RequestLog;
  store: Store;
  /** The actions of POST /control, by name; each stand-in adds its own. */
  actions: Map<string, ControlAction>;
  /** Called by the action "reset": with a musician's id, or without one to reset everything. */
  resets: ((musician?: string) => void)[];
  /** Called before the server closes, to stop timers and requests under way. */
  closing: (() => void)[];
  links: { href: string; text: string; note: string }[];
}

export function addActions(context: SandboxContext, actions: Record<string, ControlAction>): void {
  for (const [name, action] of Object.entries(actions)) context.actions.set(name, action);
}
