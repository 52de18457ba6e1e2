import { expect, test } from "vitest";
import { createTokenSource } from "~/player/token";

/** A token source with a fake server and clock, which begins at any time. */
function source(answer: (count: number) => Response, start = 0) {
  const clock = { now: start, requests: 0, loggedOut: 0 };
  const tokens = createTokenSource({
    fetch: async () => answer(++clock.requests),
    now: () => clock.now,
    onLoggedOut: () => {
      clock.loggedOut++;
    },
  });
  return { clock, tokens };
}

const hour = (count: number) =>
  Response.json({ accessToken: `token-${count}`, lifetimeMs: 3_600_000 });

test.each([0, 1e12, 5e12])(
  "reuses a token until a minute before its time since the answer is over, by a clock at %i",
  async (start) => {
    const { clock, tokens } = source(hour, start);
    expect(await tokens.get()).toBe("token-1");
    clock.now = start + 3_539_999;
    expect(await tokens.get()).toBe("token-1");
    clock.now = start + 3_540_000;
    expect(await tokens.get()).toBe("token-2");
  },
);

test("sends one request for concurrent callers, and a new one for a renewal", async () => {
  const { clock, tokens } = source(hour);
  expect(await Promise.all([tokens.get(), tokens.get(), tokens.get(true)])).toEqual([
    "token-1",
    "token-1",
    "token-1",
  ]);
  expect(clock.requests).toBe(1);
  expect(await tokens.get(true)).toBe("token-2");
});

test.each([401, 409])(
  "a login that has ended, or goes on without Spotify, is reported: %i",
  async (status) => {
    const loggedOut = source(() => new Response(null, { status }));
    await expect(loggedOut.tokens.get()).rejects.toThrow(`HTTP ${status}`);
    expect(loggedOut.clock.loggedOut).toBe(1);
  },
);

test("a failure is recovered from, and an odd answer is one", async () => {
  const recovering = source((count) =>
    count === 1 ? new Response(null, { status: 503 }) : hour(count),
  );
  await expect(recovering.tokens.get()).rejects.toThrow("HTTP 503");
  expect(await recovering.tokens.get()).toBe("token-2");

  await expect(source(() => Response.json({})).tokens.get()).rejects.toThrow("Unexpected");
});
