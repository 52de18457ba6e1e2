/** What the tests of all stand-ins share: a sandbox of their own, and a way to use its pages. */
import { type Sandbox, startSandbox } from "../../sandbox/server.ts";

export type Json = Record<string, unknown>;
export type SandboxOptions = Omit<Parameters<typeof startSandbox>[0], "port">;

/** A running sandbox with its control endpoint; see test/sandbox/control.ts. */
interface Rig {
  sandbox: Sandbox;
  /** Throws the endpoint's error if the request makes no sense. */
  control<T = Json>(action: string, fields?: Json): Promise<T>;
  close(): Promise<void>;
}

export async function startRig(options: SandboxOptions = {}): Promise<Rig> {
  const sandbox = await startSandbox({ port: 0, ...options });
  return {
    sandbox,
    async control<T = Json>(action: string, fields: Json = {}): Promise<T> {
      const response = await fetch(`${sandbox.origin}/control`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ action, ...fields }),
      });
      const answer = (await response.json()) as Json;
      if (!response.ok) throw new Error(String(answer.error));
      return answer as T;
    },
    close: () => sandbox.close(),
  };
}

/** Presses a button of a form, as a browser without JavaScript does. */
export function press(url: string, fields: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
}

/** The text of a page, without tags. */
export async function textOf(response: Response): Promise<string> {
  const page = (await response.text()).replace(/<style>[\s\S]*?<\/style>/, "");
  return page
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ");
}
