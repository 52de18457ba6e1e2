import { expect, onTestFinished, test, vi } from "vitest";
import { createPlayerApi } from "~/player/drivers/spotify-api";

test("sends the listener's token, and waits out limits of up to half a minute", async () => {
  vi.useFakeTimers();
  const sent: Request[] = [];
  const waits = ["30", "31"];
  vi.stubGlobal("window", {
    async fetch(url: string, init: RequestInit) {
      sent.push(new Request(url, init));
      const wait = sent.length % 2 ? waits.shift() : null;
      return wait
        ? new Response(null, { status: 429, headers: { "Retry-After": wait } })
        : Response.json("answer");
    },
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  const call = createPlayerApi("https://api.test", async () => "token");

  const allowed = call({ path: "/v1/me/player", fresh: true });
  await vi.advanceTimersByTimeAsync(29_999);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await allowed).toBe("answer");
  expect(sent[0]?.url).toBe("https://api.test/v1/me/player");
  expect(sent[0]?.headers.get("authorization")).toBe("Bearer token");

  const refused = expect(call({ path: "/v1/me/player", fresh: true })).rejects.toMatchObject({
    status: 429,
  });
  await vi.advanceTimersByTimeAsync(1_000);
  await refused;
  expect(sent).toHaveLength(3);
});
