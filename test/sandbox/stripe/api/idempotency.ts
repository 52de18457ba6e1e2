/** Idempotency keys: a repeated call gets the first call's response and is not carried out again. */
import type { StripeService } from "../service.ts";
import type { SavedAnswer } from "../state.ts";
import { errorBody } from "./errors.ts";

const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;
const MAX_ANSWERS = 1_000;

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

interface Call {
  key: string | null;
  path: string;
  /** The parameters as they were sent. */
  fields: string;
  requestId: string;
}

/** `kept`: whether the answer is kept for repeated calls with the key. */
type Serve = () => { answer: Answer; kept: boolean };

export function createIdempotency({ context, state }: StripeService) {
  const inUse = new Set<string>();

  /**
   * Answers a call with its key. `intercept` comes first and may answer instead, with a failure. Those that
   * stand for a call which was being carried out are kept like any other answer.
   */
  async function withKey(
    call: Call,
    intercept: () => Promise<Answer | null>,
    serve: Serve,
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
      const failed = await intercept();
      if (failed && !isCarriedOut(failed)) return failed;
      const serveOrFail = failed ? () => ({ answer: failed, kept: true }) : serve;
      return replay(call, key) ?? serveFirst(call, key, serveOrFail);
    } finally {
      inUse.delete(key);
    }
  }

  /** The saved answer, or an error if the key was used for another call; null for a new key. */
  function replay(call: Call, key: string): Answer | null {
    const saved = state.answers.get(key);
    if (!saved || saved.at < context.now() - KEY_LIFETIME_MS) return null;
    const rule = brokenRule(call, saved);
    if (rule !== null) {
      const message =
        `Keys for idempotent requests can only be used ${rule}. Try using a key other than ` +
        `'${key}' if you meant to execute a different request.`;
      return { status: 400, body: errorBody("idempotency_error", message) };
    }
    return {
      status: saved.status,
      body: saved.body,
      headers: { "idempotent-replayed": "true", "original-request": saved.requestId },
    };
  }

  function serveFirst(call: Call, key: string, serve: Serve): Answer {
    const { answer, kept } = serve();
    if (kept) {
      const { path, fields, requestId } = call;
      const at = context.now();
      state.answers.delete(key);
      const { status, body } = answer;
      state.answers.set(key, { at, path, fields, requestId, status, body });
      for (const [old, saved] of state.answers) {
        if (saved.at >= at - KEY_LIFETIME_MS && state.answers.size <= MAX_ANSWERS) break;
        state.answers.delete(old);
      }
      context.store.changed();
    }
    return answer;
  }

  return { withKey };
}

/** A failure from before or around the endpoint is not kept: no answer, a proxy's page, a key, a limit. */
function isCarriedOut({ status, body }: Answer): boolean {
  return body !== null && status >= 400 && ![401, 403, 409, 429].includes(status);
}

/** The rule that a second call with the same key breaks, in Stripe's words; null if it breaks none. */
function brokenRule(call: Call, saved: SavedAnswer): string | null {
  if (call.path !== saved.path) {
    return `for the same endpoint they were first used for ('${call.path}' vs '${saved.path}')`;
  }
  return call.fields === saved.fields ? null : "with the same parameters they were first used with";
}
