/** Idempotency keys: a call that comes again is answered as before, and does nothing. */

import type { StripeService } from "../service.ts";
import type { SavedAnswer } from "../state.ts";
import { errorBody } from "./errors.ts";

const KEPT_MS = 24 * 60 * 60 * 1000;

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

interface Call {
  key: string | null;
  path: string;
  /** The parameters as they came. */
  fields: string;
  requestId: string;
}

/**
 * Answers a call under its key. `serve` says as well whether its answer is kept: calls that were
 * refused before they began, and failures of the service, may come again.
 */
export function createIdempotency({ context, state }: StripeService) {
  const inUse = new Set<string>();

  async function under(
    call: Call,
    intercept: () => Promise<Answer | null>,
    serve: () => { answer: Answer; kept: boolean },
  ): Promise<Answer> {
    const { key } = call;
    if (key === null) return (await intercept()) ?? serve().answer;
    if (inUse.has(key)) {
      const message =
        "There is currently another in-progress request using this Idempotent Key (that probably " +
        "means you submitted twice, and the other request is still going through): " +
        `${key}. Please try again later.`;
      const body = errorBody("idempotency_error", message, { code: "idempotency_key_in_use" });
      return { status: 409, body };
    }
    inUse.add(key);
    try {
      return (await intercept()) ?? replayed(call, key) ?? first(call, key, serve);
    } finally {
      inUse.delete(key);
    }
  }

  function replayed(call: Call, key: string): Answer | null {
    const saved = state.answers.get(key);
    if (!saved || saved.at < context.now() - KEPT_MS) return null;
    const difference = differs(call, saved);
    if (difference !== null) {
      const message =
        `Keys for idempotent requests can only be used ${difference}. Try using a key other than ` +
        `'${key}' if you meant to execute a different request.`;
      return { status: 400, body: errorBody("idempotency_error", message) };
    }
    return {
      status: saved.status,
      body: saved.body,
      headers: { "idempotent-replayed": "true", "original-request": saved.requestId },
    };
  }

  function first(call: Call, key: string, serve: () => { answer: Answer; kept: boolean }): Answer {
    const { answer, kept } = serve();
    if (kept) {
      const { path, fields, requestId } = call;
      const at = context.now();
      state.answers.delete(key);
      state.answers.set(key, { at, path, fields, requestId, ...answer });
      for (const [old, saved] of state.answers) {
        if (saved.at >= at - KEPT_MS && state.answers.size <= 1_000) break;
        state.answers.delete(old);
      }
      context.store.changed();
    }
    return answer;
  }

  return { under };
}

function differs(call: Call, saved: SavedAnswer): string | null {
  if (call.path !== saved.path) {
    return `for the same endpoint they were first used for ('${call.path}' vs '${saved.path}')`;
  }
  return call.fields === saved.fields ? null : "with the same parameters they were first used with";
}
