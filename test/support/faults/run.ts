/** Runs the built Worker in an environment that fails at any one step. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { worker } from "../worker";
import { failingBucket } from "./failing-bucket";
import { type Fate, failingDatabase } from "./failing-database";

export interface Step {
  number: number;
  kind: "database" | "outside" | "queue" | "files";
  what: string;
  /** The number of statements in a call of D1; otherwise 0. */
  statements: number;
}

/** Of an outside service, "refused" cannot be reached and "silent" never responds. */
export type StepFate = Fate | "silent" | InPlaceOf;

/** @param answer makes the call and returns the service's own response. */
export type InPlaceOf = (answer: () => Promise<Response>) => Response | Promise<Response>;

export type Surroundings = Cloudflare.Env;

export interface Outcome<T> {
  /** Null if the Worker threw an error. */
  value: T | null;
  steps: Step[];
  /** The ids of the outbox rows that the queue has accepted. */
  queued: string[];
}

function unreachable(): Error {
  return new Error("Network connection lost.");
}

export async function amid<T>(
  fateOf: (step: Step) => StepFate,
  run: (around: Surroundings) => Promise<T>,
): Promise<Outcome<T>> {
  const steps: Step[] = [];
  const queued: string[] = [];
  function take(kind: Step["kind"], what: string, statements = 0): StepFate {
    const step = { number: steps.length + 1, kind, what, statements };
    steps.push(step);
    return fateOf(step);
  }
  async function send(bodies: { outboxId: string }[]) {
    const fate = take("queue", `queue of ${bodies.length}`);
    if (fate === "refused") throw new Error("Queue overloaded");
    queued.push(...bodies.map(({ outboxId }) => outboxId));
    if (fate === "lost") throw new Error("Queue did not respond");
  }
  const mails = {
    send: (body: { outboxId: string }) => send([body]),
    sendBatch: (messages: Iterable<MessageSendRequest<{ outboxId: string }>>) =>
      send([...messages].map(({ body }) => body)),
  } as unknown as Surroundings["OUTBOX_QUEUE"];
  const around = {
    ...env,
    DB: failingDatabase(env.DB, (sql, _call, statements) => {
      const fate = take("database", sql, statements);
      return fate === "silent" || typeof fate === "function" ? "refused" : fate;
    }),
    RECORDINGS: failingBucket(env.RECORDINGS, (what) => take("files", what)),
    OUTBOX_QUEUE: mails,
    CODE_QUEUE: mails,
    SPOT_CHECK_QUEUE: {
      async send() {
        const fate = take("queue", "spot check");
        if (fate === "refused" || fate === "lost") throw new Error("Queue overloaded");
      },
    } as unknown as Surroundings["SPOT_CHECK_QUEUE"],
  };

  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const asked = new Request(input, init);
    const fate = take("outside", `${asked.method} ${asked.url}`);
    const answer = () => fetch(asked, init?.signal ? { signal: init.signal } : {});
    if (typeof fate === "function") return fate(answer);
    if (fate === "refused") throw unreachable();
    if (fate === "silent") {
      // Without a time limit the caller waits for ever; with one, the limit is reached immediately.
      if (!init?.signal) return new Promise<Response>(() => undefined);
      throw new DOMException("The operation was aborted", "AbortError");
    }
    const response = await answer();
    if (fate === "lost") throw unreachable();
    return response;
  };
  try {
    return { value: await run(around), steps, queued };
  } catch {
    return { value: null, steps, queued };
  } finally {
    globalThis.fetch = fetch;
  }
}

export type Caller = "person" | "program";

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

export interface Question {
  cookie?: string;
  form?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

/** Sends a request to the built Worker, and waits until all its work is done, even that after the response. */
export async function ask(
  around: Surroundings,
  path: string,
  caller: Caller,
  { cookie, form, body = form && String(new URLSearchParams(form)), headers }: Question = {},
): Promise<Answer> {
  const asked = new Request(new URL(path, env.APP_ORIGIN), {
    method: body === undefined ? "GET" : "POST",
    headers: {
      Accept: caller === "person" ? "text/html" : "application/json",
      ...(form ? { "Content-Type": "application/x-www-form-urlencoded" } : {}),
      ...(cookie ? { Cookie: cookie } : {}),
      ...headers,
    },
    body: body ?? null,
    redirect: "manual",
  });
  const execution = createExecutionContext();
  const response = await worker.fetch(asked, around, execution);
  const text = await response.text();
  await waitOnExecutionContext(execution);
  return { status: response.status, headers: response.headers, text };
}
