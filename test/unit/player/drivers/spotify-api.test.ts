import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { createPlayerApi as CreatePlayerApi } from "~/player/drivers/spotify-api";

let createPlayerApi: typeof CreatePlayerApi;
// The limits that one test has met hold for the page, and so for the next test.
beforeEach(async () => {
  vi.resetModules();
  ({ createPlayerApi } = await import("~/player/drivers/spotify-api"));
});

/** A browser whose requests to Spotify end in these, one after the other, the last one for good. */
function inBrowser(answers: (() => Response)[], { onLine = true } = {}) {
  vi.useFakeTimers();
  const sentAt: number[] = [];
  const begun = performance.now();
  vi.stubGlobal("navigator", { onLine });
  vi.stubGlobal("window", {
    async fetch() {
      sentAt.push(Math.round((performance.now() - begun) / 1000));
      return (answers.length > 1 ? answers.shift() : answers[0])?.();
    },
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  return sentAt;
}

const player = { path: "/v1/me/player" };
const callWith = (token = async (_renew?: boolean) => "token") =>
  createPlayerApi("https://api.test", token);

/** What a page sees of a 429 without CORS headers, as of a network that is away. */
const unreadable = () => {
  throw new TypeError("Failed to fetch");
};
const untold = () => new Response(null, { status: 429 });

test.each([
  ["cannot be read", unreadable],
  ["does not say for how long", untold],
])("a limit that %s is waited out longer and longer", async (_, limit) => {
  const answers = [limit, limit, limit, limit, limit, () => Response.json("answer"), limit];
  const sentAt = inBrowser(answers);
  const call = callWith();
  const poll = { ...player, fresh: true, maxWaitMs: 0 };
  for (let second = 0; second < 125; second += 1) {
    void call(poll).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(sentAt).toEqual([0, 5, 15, 35, 75, 115, 116, 121]);
});

test("a limit that cannot be read is told as one", async () => {
  inBrowser([unreadable]);
  const call = callWith();
  const refused = expect(call(player)).rejects.toMatchObject({ status: 429 });
  await vi.advanceTimersByTimeAsync(30_000);
  await refused;
});

test("a browser that is offline is no limit", async () => {
  const sentAt = inBrowser([unreadable], { onLine: false });
  const call = callWith();
  for (const path of ["/v1/me", "/v1/me/player"]) {
    await expect(call({ path })).rejects.toMatchObject({ status: 0 });
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(sentAt).toEqual([0, 1]);
});

test("a token that Spotify refuses is replaced by a new one", async () => {
  inBrowser([() => new Response(null, { status: 401 }), () => Response.json("answer")]);
  const asked: (boolean | undefined)[] = [];
  const call = callWith(async (renew) => `token ${asked.push(renew)}`);
  const answer = call(player);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await answer).toBe("answer");
  expect(asked).toEqual([false, true]);
});

test("sends the listener's token, and waits out limits of up to half a minute", async () => {
  const limited = (seconds: string) => () =>
    new Response(null, { status: 429, headers: { "Retry-After": seconds } });
  const sentAt = inBrowser([limited("30"), () => Response.json("answer"), limited("31")]);
  const sent = vi.spyOn(window, "fetch");
  const call = callWith();
  const allowed = call({ ...player, fresh: true });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await allowed).toBe("answer");
  expect(sentAt).toEqual([0, 30]);
  const [url = "", init] = sent.mock.calls[0] ?? [];
  const request = new Request(url, init);
  expect(request.url).toBe("https://api.test/v1/me/player");
  expect(request.headers.get("authorization")).toBe("Bearer token");
  const refused = expect(call({ ...player, fresh: true })).rejects.toMatchObject({ status: 429 });
  await vi.advanceTimersByTimeAsync(1_000);
  await refused;
  expect(sentAt).toHaveLength(3);
});
