/** The dare: what a visit to our own tune is told, and which bytes of it. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { signToken } from "~/platform/crypto.server";
import type { DeliveryServices } from "~/sources/files/delivery.server";
import { serveTune } from "~/sources/files/tune.server";
import { passTime } from "../../support/clock";
import { request } from "../../support/request";

const hour = 60 * 60 * 1000;
const bytes = 480_044;
const ahead = 240_044;

/** What the page says, in its two sentences. */
async function said(response: Response): Promise<string[]> {
  const [, first = "", second = ""] =
    /role="status"><h2[^>]*>(.*?)<\/h2><p[^>]*>(.*?)<\/p>/.exec(await response.text()) ?? [];
  return [first, second.replaceAll("&#x27;", "'")];
}

async function begin(): Promise<string> {
  const page = await (await request("/try?play=")).text();
  return /name="visit" value="([^"]+)"/.exec(page)?.[1] ?? "";
}

async function begunAt(time: number): Promise<string> {
  return signToken((env as unknown as { SESSION_SECRET: string }).SESSION_SECRET, "try", `${time}`);
}

const rate = (visit: string, score = 4, options = {}) =>
  request(`/try?visit=${visit}&score=${score}`, options);

test("a rating before the tune's end is too early, and one after it is taken", async () => {
  const visit = await begin();
  passTime(11_000);
  const early = await rate(visit);
  expect([early.status, early.headers.get("Retry-After")]).toEqual([425, "9"]);
  expect(await said(early)).toEqual([
    "Not yet: 9 seconds.",
    "The server's clock says so, not this page.",
  ]);
  passTime(9_000);
  const [taken, disliked] = [await rate(visit), await rate(visit, 1)];
  expect([taken.status, taken.headers.get("Retry-After")]).toEqual([200, null]);
  expect((await said(taken))[0]).toBe("4 of 5 liked it.");
  expect((await said(disliked))[0]).toBe("3 of 5 liked it.");
});

test("a program that asks for the head alone is told when to come back", async () => {
  const { status, headers } = await rate(await begin(), 3, { method: "HEAD" });
  expect([status, headers.get("Retry-After")]).toEqual([425, "20"]);
});

test("who asks for the end at once is told how much of it is held, and how long", async () => {
  const visit = await begin();
  const ask = async () => said(await request(`/try?visit=${visit}&end=`));
  expect(await ask()).toEqual(["Held: the last 64 KB come in 10 seconds.", "206, 0 bytes so far."]);
  passTime(8_000);
  expect(await ask()).toEqual([
    "Held: the last 64 KB come in 2 seconds.",
    expect.stringMatching(/^206, 3\d,\d{3} bytes so far\.$/),
  ]);
  passTime(2_000);
  expect(await ask()).toEqual(["The last 64 KB may come now.", "206, 65,536 bytes so far."]);
});

test("without an answer, a page that is loaded again goes on with its visit", async () => {
  const visit = await begin();
  passTime(5_000);
  const page = await (await request(`/try?visit=${visit}`)).text();
  expect(page).toContain(`src="/try.wav?visit=${visit}#t=5"`);
  expect(page).toContain("Now rate it before its end.");
});

test.each([
  ["none", async () => "", 400],
  ["one that was made up", async () => `${Date.now()}.${"A".repeat(43)}`, 400],
  ["one that was altered", async () => (await begin()).replace(/^\d/, "2"), 400],
  ["one for another purpose", async () => signToken("secret", "unsubscribe", "1"), 400],
  ["one from the future", async () => begunAt(Date.now() + hour), 400],
  ["one without a time", async () => begunAt(Number.NaN), 400],
  ["one of more than an hour ago", async () => begunAt(Date.now() - hour - 1000), 410],
])("a visit is refused: %s", async (_what, visitOf, status) => {
  const visit = await visitOf();
  const page = await rate(visit);
  expect(page.status).toBe(status);
  expect((await said(page))[1]).toBe("Press play, and one begins.");
  const sound = await request(`/try.wav?visit=${visit}`, { headers: { Accept: "audio/*" } });
  expect(sound.status).toBe(status);
  expect(await sound.json()).toEqual({ error: expect.stringMatching(/\.$/) });
});

test("nothing of a visit is kept, in the browser, at the edge or in a search engine", async () => {
  for (const path of ["/try", "/try?play=", `/try?visit=${await begin()}&score=3`]) {
    const { headers, ...response } = await request(path).then(async (answer) => ({
      headers: answer.headers,
      page: await answer.text(),
    }));
    expect([headers.get("Set-Cookie"), headers.get("Cache-Control")]).toEqual([
      null,
      "private, no-store",
    ]);
    expect(response.page).toContain(`rel="canonical" href="${env.APP_ORIGIN}/try"`);
  }
});

test("the tune may play on its page, and begin there by itself; not on the landing page", async () => {
  const [page, landing] = [await request("/try"), await request("/")];
  expect(page.headers.get("Content-Security-Policy")).toContain("media-src 'self'");
  expect(page.headers.get("Permissions-Policy")).toContain("autoplay=(self)");
  expect(landing.headers.get("Content-Security-Policy")).not.toContain("media-src");
  expect(await landing.text()).toContain('<a class="button plain" href="/try">');
});

/** A visit at a clock of its own. What waits goes on once the time is moved. */
function visitor({ address = "192.0.2.1" } = {}) {
  let time = 0;
  let waiting: { until: number; go(): void }[] = [];
  const ended: Promise<unknown>[] = [];
  const services = {
    assets: { fetch: async () => new Response(tune) },
    files: env.RECORDINGS,
    now: () => time,
    wait: (ms: number, signal: AbortSignal) =>
      new Promise<void>((go, reject) => {
        waiting.push({ until: time + ms, go });
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
    waitUntil: (work: Promise<unknown>) => void ended.push(work),
  } as unknown as DeliveryServices & { assets: Fetcher };
  return {
    ended,
    move(ms: number) {
      time += ms;
      const due = waiting.filter(({ until }) => until <= time);
      waiting = waiting.filter(({ until }) => until > time);
      for (const { go } of due) go();
    },
    ask(range?: string): Promise<Response | null> {
      const headers = { "CF-Connecting-IP": address, ...(range && { Range: range }) };
      return serveTune(services, new Request("https://x.example/try.wav", { headers }), 0);
    },
  };
}

const tune = Uint8Array.from({ length: bytes }, (_, n) => n % 251);

test("ten seconds of the tune come at once, and its end no sooner than it is due", async () => {
  const { ask, move, ended } = visitor();
  const response = await ask();
  expect(response?.headers.get("Content-Length")).toBe(`${bytes}`);
  const reader = response?.body?.getReader();
  let got = 0;
  const next = async () => {
    const piece = await reader?.read();
    got += piece?.value?.byteLength ?? 0;
    return piece?.done;
  };
  while (got < ahead) await next();
  expect(got).toBe(ahead);
  const held = next();
  for (let ms = 0; ms < 9_200; ms += 100) {
    move(100);
    await Promise.resolve();
    expect(got).toBeLessThanOrEqual(ahead + 26.4 * (ms + 100) + 24_000);
  }
  await held;
  while (!(await next())) move(100);
  expect(got).toBe(bytes);
  await Promise.all(ended);
});

test("a part behind what is due has its head, and no byte", async () => {
  const { ask, move, ended } = visitor();
  const response = await ask("bytes=-65536");
  expect([response?.status, response?.headers.get("Content-Range")]).toEqual([
    206,
    `bytes ${bytes - 65_536}-${bytes - 1}/${bytes}`,
  ]);
  let isHeld = true;
  const whole = response?.arrayBuffer().then((part) => {
    isHeld = false;
    return part;
  });
  move(5_000);
  await Promise.resolve();
  expect(isHeld).toBe(true);
  const going = setInterval(() => move(1_000), 1);
  const part = new Uint8Array((await whole) ?? new ArrayBuffer());
  clearInterval(going);
  expect(part).toEqual(tune.subarray(-65_536));
  await Promise.all(ended);
});

test("an address, and all visitors together, are served so often at once and no oftener", async () => {
  const houses = Array.from({ length: 6 }, (_, n) => visitor({ address: `192.0.2.${n}` }));
  const bodies: (Response | null)[] = [];
  const statuses: (number | undefined)[] = [];
  for (const { ask } of houses) {
    for (let n = 0; n < 9; n += 1) {
      const response = await ask("bytes=-10");
      statuses.push(response?.status);
      if (response?.ok) bodies.push(response);
      else expect(response?.headers.get("Retry-After")).toBe("5");
    }
  }
  const eight = Array.from({ length: 8 }, () => 206);
  expect(statuses).toEqual([
    ...Array.from({ length: 5 }, () => [...eight, 503]).flat(),
    ...Array.from({ length: 9 }, () => 503),
  ]);
  await Promise.all(bodies.map((response) => response?.body?.cancel()));
  for (const { move } of houses) move(20_000);
  await Promise.all(houses.flatMap(({ ended }) => ended));
  const again = await houses[0]?.ask("bytes=0-9");
  expect(again?.status).toBe(206);
  await again?.arrayBuffer();
});
