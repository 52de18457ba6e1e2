/**
 * Runs what the built Worker does while its surroundings fail at any one step: a call of D1, a request
 * to an outside service, a message to the queue.
 */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
// @ts-expect-error: the bundle, which may not have been built yet, has no types.
import bundle from "../../../build/index.js";
import { type Fate, failingDatabase } from "./failing-database";

export const worker: Required<
  Pick<ExportedHandler<Cloudflare.Env>, "fetch" | "queue" | "scheduled">
> = bundle;

/** One step out of the Worker. */
export interface Step {
  /** 1 and more, in the order begun. */
  number: number;
  kind: "database" | "outside" | "queue";
  /** The statements, or method and address. */
  what: string;
  /** Of a call of D1; else 0. */
  statements: number;
}

/**
 * What befalls a step: as for D1, refused being not reached at all; and of an outside service, that it
 * never answers, or that something comes in the place of what it would answer.
 */
export type StepFate = Fate | "silent" | InPlaceOf;

/** @param answer has the service do it, and gives its own answer. */
export type InPlaceOf = (answer: () => Promise<Response>) => Response | Promise<Response>;

/** What the Worker finds around it. */
export type Surroundings = Cloudflare.Env;

export interface Outcome<T> {
  /** Null where the Worker threw. */
  value: T | null;
  steps: Step[];
  /** The outbox rows that the queue has taken. */
  queued: string[];
}

/** Limits on time are longer; waits between attempts, which nobody has to sit through, are shorter. */
const longestWaitMs = 5000;

/** As the platform words it. */
function unreachable(): Error {
  return new Error("Network connection lost.");
}

/** Runs something in surroundings of which each step meets its fate. */
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
    if (fate === "lost") throw new Error("Queue did not answer");
  }
  const around = {
    ...env,
    DB: failingDatabase(env.DB, (sql, _call, statements) => {
      const fate = take("database", sql, statements);
      return fate === "silent" || typeof fate === "function" ? "refused" : fate;
    }),
    OUTBOX_QUEUE: {
      send: (body: { outboxId: string }) => send([body]),
      sendBatch: (messages: Iterable<MessageSendRequest<{ outboxId: string }>>) =>
        send([...messages].map(({ body }) => body)),
    } as unknown as Surroundings["OUTBOX_QUEUE"],
    SPOT_CHECK_QUEUE: {
      async send() {
        const fate = take("queue", "spot check");
        if (fate === "refused" || fate === "lost") throw new Error("Queue overloaded");
      },
    } as unknown as Surroundings["SPOT_CHECK_QUEUE"],
  };

  const { fetch, setTimeout } = globalThis;
  globalThis.fetch = async (input, init) => {
    const asked = new Request(input, init);
    const fate = take("outside", `${asked.method} ${asked.url}`);
    const answer = () => fetch(asked, init?.signal ? { signal: init.signal } : {});
    if (typeof fate === "function") return fate(answer);
    if (fate === "refused") throw unreachable();
    if (fate === "silent") {
      // Whoever sets no limit waits for ever; the limit of whoever does is over at once.
      if (!init?.signal) return new Promise<Response>(() => undefined);
      throw new DOMException("The operation was aborted", "AbortError");
    }
    const response = await answer();
    if (fate === "lost") throw unreachable();
    return response;
  };
  globalThis.setTimeout = ((work: () => void, ms = 0, ...rest: unknown[]) =>
    setTimeout(work, ms < longestWaitMs ? Math.min(ms, 1) : ms, ...rest)) as typeof setTimeout;
  try {
    return { value: await run(around), steps, queued };
  } catch {
    return { value: null, steps, queued };
  } finally {
    Object.assign(globalThis, { fetch, setTimeout });
  }
}

/** Who asks: somebody in a browser, or a program. */
export type Caller = "person" | "program";

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

export interface Question {
  cookie?: string;
  /** Posted as a form; without one it is a GET. */
  form?: Record<string, string>;
  /** Posted as it is. */
  body?: string;
  headers?: Record<string, string>;
}

/** Asks the built Worker, and waits for all that it does, the part after the answer too. */
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
  const response = await worker.fetch(
    asked as Parameters<typeof worker.fetch>[0],
    around,
    execution,
  );
  const text = await response.text();
  await waitOnExecutionContext(execution);
  return { status: response.status, headers: response.headers, text };
}
