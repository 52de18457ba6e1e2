/** What the tests of all stand-ins share: a sandbox of their own. */
import { startSandbox } from "../../sandbox/server.ts";

export type Json = Record<string, unknown>;

/** A running sandbox with its control endpoint. */
export async function startRig(options: { appOrigin?: string } = {}) {
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

export type Rig = Awaited<ReturnType<typeof startRig>>;
