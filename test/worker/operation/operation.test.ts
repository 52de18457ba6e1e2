import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { makeListen, makePackage, makeSong, makeUser } from "../../support/database/factories";
import { failingDatabase } from "../../support/faults/failing-database";
import { makeMember, makeSession } from "../../support/login";
import { addressOf, deliver, failMails, oweRating } from "../../support/mails";
import { request } from "../../support/request";
import { daily, everyTenMinutes, runJobs } from "../../support/worker";

const down = failingDatabase(env.DB, () => "refused");

/** A data point for Analytics Engine. */
interface Point {
  indexes: string[];
  blobs: string[];
  doubles: number[];
}

let points: Point[];
let logged: string[];
let METRICS: { writeDataPoint(point: Point): void };

beforeEach(() => {
  points = [];
  METRICS = { writeDataPoint: (point) => void points.push(point) };
  logged = [];
  vi.spyOn(console, "log").mockImplementation((line) => void logged.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** The log so far, parsed; fails if an entry is not one line of JSON. */
function lines(): Record<string, unknown>[] {
  return logged.map((line) => {
    expect(line).not.toContain("\n");
    return JSON.parse(line);
  });
}

function ask(
  path: string,
  options: Parameters<typeof request>[1] = {},
  bindings: object = {},
): Promise<Response> {
  return request(path, { ...options, bindings: { ...env, METRICS, ...bindings } });
}

function run(cron: string, bindings: object = {}): Promise<void> {
  return runJobs(cron, { ...env, METRICS, ...bindings });
}

describe("a request", () => {
  test("is logged in one line with its route, and with the request id of the response", async () => {
    const response = await ask("/songs/some-id/play?secret=hidden", { method: "POST" });
    expect(lines()).toEqual([
      {
        event: "request",
        requestId: response.headers.get("X-Request-Id"),
        route: "/songs/:songId/play",
        method: "POST",
        status: response.status,
        ms: expect.any(Number),
      },
    ]);
    expect(points).toMatchObject([
      { indexes: ["request"], blobs: ["/songs/:songId/play", "", String(response.status)] },
    ]);
  });

  test("for a missing page is logged without its path", async () => {
    await ask("/mara-lind@musicians.example/secret");
    expect(lines()).toMatchObject([{ event: "request", route: "*", status: 404 }]);
    expect(JSON.stringify(lines())).not.toMatch(/mara-lind|secret/);
  });

  test("with a malformed path is refused, and logged without the path", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const response = await ask("/songs/%E0%A4%A/secret");
    expect(response.status).toBe(400);
    expect(lines()).toMatchObject([{ event: "request", route: "*", status: 400 }]);
    expect(warned).not.toHaveBeenCalled();
  });

  test.each([
    ["POST", "/faq"],
    ["PUT", "/"],
    ["DELETE", "/account"],
  ])("that is refused (%s %s) is not logged as an error", async (method, path) => {
    expect((await ask(path, { method })).status).toBe(405);
    expect(lines().map(({ event }) => event)).toEqual(["request"]);
  });

  test("that fails has one id in all its log lines, and a response without details", async () => {
    const { cookie } = await makeMember();
    const response = await ask("/account", { cookie }, { DB: down });
    expect(response.status).toBe(500);
    const told = lines();
    expect(told.map(({ event }) => event)).toEqual(["route_failed", "request"]);
    expect(new Set(told.map(({ requestId }) => requestId)).size).toBe(1);
    expect(await response.text()).not.toContain("D1_ERROR");
  });

  test.each(["/", "/ratings-of-my-songs"])(
    "for a page that cannot be rendered (%s) gets the whole error page, and one line tells why",
    async (path) => {
      const user = await makeUser();
      const drawn = await makeSong(await makeUser(), { title: "Needle" });
      await makePackage(user, [drawn]);
      await makeSong(user, { title: "Needle" });
      const { cookie } = await makeSession(user);
      // The loader passes it on; only the component of the cover wants it to be text.
      const unreadable = JSON.stringify({ 64: { toString: null } });
      await env.DB.prepare("UPDATE songs SET smaller_art = ?").bind(unreadable).run();

      const response = await ask(path, { cookie });
      const page = await response.text();
      expect([response.status, response.headers.get("Cache-Control")]).toEqual([
        500,
        "private, no-store",
      ]);
      expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
      expect(page).toMatch(/^<!DOCTYPE html><html/);
      expect(page.match(/<!DOCTYPE|<\/?(html|body)/g)).toHaveLength(5);
      expect(page).toContain("<h1>Something went wrong</h1>");
      expect(page.split("<script")[0]).not.toContain("Needle");
      expect(page).not.toContain("primitive value");
      const policy = response.headers.get("Content-Security-Policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      const nonce = /'nonce-(\w+)'/.exec(policy)?.[1];
      const scripts = page.match(/<script[^>]*>/g) ?? [];
      expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([]);

      expect(lines()).toMatchObject([
        { event: "route_failed", route: path, error: expect.stringMatching(/^TypeError: /) },
        { event: "request", route: path, status: 500 },
      ]);
    },
  );

  test("leaves no log line that says who made it, in a whole visit", async () => {
    const user = await makeUser({ displayName: "Talkative Tam", ownEmail: "tam@mail.example" });
    const song = await makeSong(await makeUser());
    await makePackage(user, [song]);
    const startedAt = Date.now() - 600_000;
    const finishedAt = startedAt + 60_000;
    await makeListen(user, song, { startedAt, finishedAt });
    const session = await makeSession(user);
    const { cookie } = session;
    for (const path of ["/", "/account", "/ratings-of-my-songs"]) await ask(path, { cookie });
    const rated = await ask(`/songs/${song.id}/rating`, { cookie, form: { score: "3" } });
    expect(rated.status).toBe(303);
    const told = JSON.stringify([lines(), points]);
    const personal = [user.id, song.id, session.id, session.accessToken, "Talkative", "tam@"];
    expect(personal.filter((one) => told.includes(one))).toEqual([]);
    expect(lines().map(({ event }) => event)).toContain("rating_given");
    expect(points.map(({ indexes }) => indexes[0])).toContain("rating_given");
  });
});

describe("a data point is written for", () => {
  test("a mail that was sent, and one that was not accepted", async () => {
    const owner = await makeUser();
    const song = await makeSong(owner);
    await deliver([await oweRating(song)], { METRICS });
    await failMails(addressOf(owner), { status: 500 });
    await deliver([await oweRating(song)], { METRICS });
    expect(points.map(({ indexes, blobs }) => [indexes[0], blobs])).toEqual([
      ["mail_sent", ["fivefold-outbox", "rating", ""]],
      ["mail_send_failed", ["fivefold-outbox", "rating", "failed"]],
    ]);
  });

  test("a mail that is given up", async () => {
    const owner = await makeUser({ ownEmail: "nobody@example.com" });
    await deliver([await oweRating(await makeSong(owner))], { METRICS });
    expect(points.map(({ indexes, blobs }) => [indexes[0], blobs[2]])).toEqual([
      ["mail_send_failed", "refused"],
      ["mail_failed", "refused"],
    ]);
  });

  test("nothing if Analytics Engine is not bound, and requests work all the same", async () => {
    expect((await ask("/faq", {}, { METRICS: undefined })).status).toBe(200);
  });
});

describe("a scheduled job", () => {
  test("logs what it did, and how long it took", async () => {
    await run(everyTenMinutes);
    await run(daily);
    expect(lines().map(({ event, kind }) => [event, kind])).toEqual([
      ["job_done", "outbox"],
      ["job_done", "songWishes"],
      ["job_done", "releases"],
      ["job_done", "reports"],
      ["job_done", "community"],
      ["job_done", "monthlyLook"],
      ["job_done", "tints"],
      ["job_done", "retention"],
      ["job_done", "files"],
      ["job_done", "fileDeletions"],
      ["job_done", "subscriptions"],
    ]);
    for (const line of lines()) expect(line.ms).toEqual(expect.any(Number));
    expect(points.map(({ indexes }) => indexes[0])).toEqual(Array(11).fill("job_done"));
  });

  test("that fails logs this and fails the run, but the next job still runs", async () => {
    let calls = 0;
    const DB = failingDatabase(env.DB, () => {
      calls += 1;
      return calls === 1 ? "refused" : "fine";
    });
    await expect(run(everyTenMinutes, { DB })).rejects.toThrow("scheduled job failed");
    expect(lines().map(({ event, kind }) => [event, kind])).toEqual([
      ["job_failed", "outbox"],
      ["job_done", "songWishes"],
      ["job_done", "releases"],
      ["job_done", "reports"],
      ["job_done", "community"],
      ["job_done", "monthlyLook"],
      ["job_done", "tints"],
      ["job_done", "retention"],
      ["job_done", "files"],
      ["job_done", "fileDeletions"],
    ]);
  });
});

test("the daily run fails if Stripe refuses every call", async () => {
  const { id } = await makeUser({ tier: "premium" });
  const STRIPE_SECRET_KEY = "sk_test_unknown";
  await expect(run(daily, { STRIPE_SECRET_KEY })).rejects.toThrow("scheduled job failed");
  expect(lines().map(({ event }) => event)).toEqual(["subscription_not_swept", "job_failed"]);
  expect(JSON.stringify(lines())).not.toContain(id);
});
