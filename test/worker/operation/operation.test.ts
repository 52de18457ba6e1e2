import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
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

test("a request is logged in one line with its route, and with the request id of the response", async () => {
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

test("a page shown without ado leaves no line, and is counted", async () => {
  expect((await ask("/faq")).status).toBe(200);
  expect(lines()).toEqual([]);
  expect(points).toMatchObject([{ indexes: ["request"], blobs: ["/faq", "", "200"] }]);
});

test("a page that takes a second leaves a line", async () => {
  const began = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValueOnce(began);
  clock.mockReturnValue(began + 1000);
  expect((await ask("/faq")).status).toBe(200);
  expect(lines()).toMatchObject([{ event: "request", route: "/faq", status: 200, ms: 1000 }]);
});

test.each([
  ["GET", "/mara-lind@musicians.example/secret", 404, "*"],
  ["GET", "/songs/%E0%A4%A/secret", 400, "*"],
  ["POST", "/faq", 405, "/faq"],
  ["PUT", "/", 405, "/"],
  ["DELETE", "/account", 405, "/account"],
])(
  "what is refused (%s %s) is no error in the log, which has no path that leads nowhere",
  async (...[method, path, status, route]) => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    expect((await ask(path, { method })).status).toBe(status);
    expect(lines()).toMatchObject([{ event: "request", route, status }]);
    expect(JSON.stringify(lines())).not.toMatch(/mara-lind|secret/);
    expect(warned).not.toHaveBeenCalled();
  },
);

test("a request that fails has one id in all its log lines, and a response without details", async () => {
  const { cookie } = await makeMember();
  const response = await ask("/account", { cookie }, { DB: down });
  expect(response.status).toBe(500);
  const told = lines();
  expect(told.map(({ event }) => event)).toEqual(["route_failed", "request"]);
  expect(new Set(told.map(({ requestId }) => requestId)).size).toBe(1);
  expect(await response.text()).not.toContain("D1_ERROR");
});

test.each(["/", "/ratings-of-my-songs"])(
  "a page that cannot be rendered (%s) is the whole error page, and one line tells why",
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
    const { status, headers } = response;
    const told = [status, headers.get("Cache-Control"), headers.get("Content-Type")];
    expect(told).toEqual([500, "private, no-store", "text/html; charset=utf-8"]);
    expect(page).toMatch(/^<!DOCTYPE html><html/);
    expect(page.match(/<!DOCTYPE|<\/?(html|body)/g)).toHaveLength(5);
    expect(page).toContain("<h1>Something went wrong</h1>");
    expect(page.split("<script")[0]).not.toContain("Needle");
    expect(page).not.toContain("primitive value");
    const policy = headers.get("Content-Security-Policy") ?? "";
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

test("a whole visit leaves no log line that says who made it", async () => {
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

test("a data point is written for a mail that was sent, one that was not accepted, and one that is given up", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner);
  await deliver([await oweRating(song)], { METRICS });
  await failMails(addressOf(owner), { status: 500 });
  await deliver([await oweRating(song)], { METRICS });
  const nobody = await makeUser({ ownEmail: "nobody@example.com" });
  await deliver([await oweRating(await makeSong(nobody))], { METRICS });
  expect(points.map(({ indexes, blobs }) => [indexes[0], ...blobs])).toEqual([
    ["mail_sent", "fivefold-outbox", "rating", ""],
    ["mail_send_failed", "fivefold-outbox", "rating", "failed"],
    ["mail_send_failed", "fivefold-outbox", "rating", "refused"],
    ["mail_failed", "fivefold-outbox", "rating", "refused"],
  ]);
});

test("no data point is written if Analytics Engine is not bound, and requests work all the same", async () => {
  expect((await ask("/faq", {}, { METRICS: undefined })).status).toBe(200);
});

const tenMinutely = [
  "outbox",
  "songWishes",
  "mixWishes",
  "releases",
  "rounds",
  "terms",
  "reports",
  "community",
  "monthlyLook",
  "tints",
  "retention",
  "files",
  "fileDeletions",
];

test("a scheduled job logs what it did, and how long it took", async () => {
  await run(everyTenMinutes);
  await run(daily);
  expect(lines()).toEqual(
    [...tenMinutely, "subscriptions"].map((kind) =>
      expect.objectContaining({ event: "job_done", kind, ms: expect.any(Number) }),
    ),
  );
  expect(points.map(({ indexes }) => indexes[0])).toEqual(lines().map(({ event }) => event));
});

test("a scheduled job that fails logs this and fails the run, but the next job still runs", async () => {
  let calls = 0;
  const DB = failingDatabase(env.DB, () => {
    calls += 1;
    return calls === 1 ? "refused" : "fine";
  });
  await expect(run(everyTenMinutes, { DB })).rejects.toThrow("scheduled job failed");
  expect(lines().map(({ event, kind }) => [event, kind])).toEqual(
    tenMinutely.map((kind) => [kind === "outbox" ? "job_failed" : "job_done", kind]),
  );
});

test("the daily run fails if Stripe refuses every call", async () => {
  const { id } = await makeUser({ tier: "premium" });
  const STRIPE_SECRET_KEY = "sk_test_unknown";
  await expect(run(daily, { STRIPE_SECRET_KEY })).rejects.toThrow("scheduled job failed");
  expect(lines().map(({ event }) => event)).toEqual(["subscription_not_swept", "job_failed"]);
  expect(JSON.stringify(lines())).not.toContain(id);
});
