import fc from "fast-check";
import { expect, test } from "vitest";
import { fakeService, outcome } from "./support.ts";

/** Before everything. */
const long = Number.NEGATIVE_INFINITY;

const calls = fc.array(
  fc.record({
    /** Milliseconds after the call before; often none. */
    delay: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 })),
    clientIndex: fc.constantFrom<0 | 1>(0, 1),
    method: fc.constantFrom("GET" as const, "PUT" as const),
    path: fc.constantFrom("/v1/a", "/v1/b", "/v1/c"),
  }),
  { minLength: 1, maxLength: 40 },
);

test("without limits, requests start in order and as early as spacing and window allow", () =>
  fc.assert(
    fc.asyncProperty(calls, async (list) => {
      const { client, clock, sent } = fakeService(() => Response.json(null));
      const clients = [client(), client()] as const;
      const expected: number[] = [];
      let at = 0;
      for (const [index, { delay, clientIndex }] of list.entries()) {
        at += delay;
        await clock.advance(delay);
        void clients[clientIndex]({ path: `/v1/tracks/${index}` });
        expected.push(
          Math.max(at, (expected.at(-1) ?? long) + 50, (expected.at(-8) ?? long) + 1000),
        );
      }
      await clock.advance();
      expect(sent.map(({ at }) => at)).toEqual(expected);
      expect(sent.map(({ url }) => url)).toEqual(list.map((_, index) => `/v1/tracks/${index}`));
    }),
  ));

const answers = fc.array(
  fc.record({
    status: fc.constantFrom(200, 200, 204, 401, 429, 500),
    retryAfter: fc.constantFrom("1", "2", "7", ""),
    takes: fc.integer({ min: 0, max: 600 }),
  }),
  { minLength: 1, maxLength: 20 },
);

test("whatever the calls and answers, starts keep spacing, window and limits, and every call ends", () =>
  fc.assert(
    fc.asyncProperty(calls, answers, async (list, script) => {
      const limits: { from: number; to: number }[] = [];
      const { client, clock, sent } = fakeService(async (_request, count) => {
        const { status = 200, retryAfter = "", takes = 0 } = script[count % script.length] ?? {};
        await clock.wait(takes);
        if (status === 429) {
          const from = clock.now() - 1_000_000;
          limits.push({ from, to: from + Number(retryAfter || 5) * 1000 });
        }
        const headers = { "Retry-After": retryAfter };
        return new Response(null, { status, headers: status === 429 ? headers : {} });
      });
      const clients = [client(), client()] as const;
      let pending = list.length;
      for (const { delay, clientIndex, method, path } of list) {
        await clock.advance(delay);
        const work = clients[clientIndex]({ method, path });
        void outcome(work).then(() => {
          pending -= 1;
        });
      }
      await clock.advance();
      expect(pending).toBe(0);
      const starts = sent.map(({ at }) => at);
      for (const [index, start] of starts.entries()) {
        expect(start - (starts[index - 1] ?? long)).toBeGreaterThanOrEqual(50);
        expect(start - (starts[index - 8] ?? long)).toBeGreaterThanOrEqual(1000);
        for (const { from, to } of limits) expect(start <= from || start >= to).toBe(true);
      }
    }),
  ));

test("repeated limits delay a request no longer than its longest wait", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 }),
      fc.integer({ min: 0, max: 20_000 }),
      async (seconds, maxWaitMs) => {
        const { client, clock, sent } = fakeService(
          (_request, count) =>
            new Response(null, {
              status: 429,
              headers: { "Retry-After": String(seconds[count % seconds.length]) },
            }),
        );
        const answer = outcome(client()({ path: "/v1/me", maxWaitMs }));
        await clock.advance();
        expect(await answer).toMatchObject({ status: 429 });
        expect(sent.at(-1)?.at).toBeLessThanOrEqual(maxWaitMs);
      },
    ),
  ));

test("no answer is older than 5 seconds, or than the last write that had ended", () =>
  fc.assert(
    fc.asyncProperty(calls, fc.integer({ min: 0, max: 2000 }), async (list, takes) => {
      const { client, clock } = fakeService(async () => {
        // The answer is as of the request's arrival.
        const answer = Response.json(clock.now());
        await clock.wait(takes);
        return answer;
      });
      const clients = [client(), client()] as const;
      let lastWriteEnd = 0;
      const checks: Promise<void>[] = [];
      for (const { delay, clientIndex, method, path } of list) {
        await clock.advance(delay * 5);
        const called = { at: clock.now(), lastWriteEnd };
        const work = clients[clientIndex]({ method, path });
        checks.push(
          work.then((answer) => {
            if (method === "PUT") {
              lastWriteEnd = clock.now();
              return;
            }
            expect(Number(answer)).toBeGreaterThan(called.at - 5000 - takes);
            expect(Number(answer)).toBeGreaterThanOrEqual(called.lastWriteEnd);
          }),
        );
      }
      await clock.advance();
      await Promise.all(checks);
    }),
  ));
