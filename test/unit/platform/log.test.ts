import { DrizzleQueryError } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { logEvent, withLogScope } from "~/platform/log";

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

function logged(): unknown {
  const calls = vi.mocked(console.log).mock.calls;
  expect(calls).toHaveLength(1);
  expect(calls[0]?.[0]).not.toContain("\n");
  return JSON.parse(String(calls[0]?.[0]));
}

test("an event is one line of JSON", () => {
  logEvent("login_failed", { path: "/two\nlines" });
  expect(logged()).toEqual({ event: "login_failed", path: "/two\nlines" });
});

test("an error is logged with its name and message, without its stack", () => {
  logEvent("route_failed", { error: new TypeError("no such thing") });
  expect(logged()).toEqual({ event: "route_failed", error: "TypeError: no such thing" });
});

test("a failed query is logged with its cause, without its values", () => {
  const values = ["Mara Lind", "mara-lind@musicians.example", "BQtoken"];
  const cause = new Error("D1_ERROR: the database is away");
  logEvent("route_failed", { error: new DrizzleQueryError("UPDATE users SET …", values, cause) });
  expect(logged()).toEqual({
    event: "route_failed",
    error: "Error: D1_ERROR: the database is away",
  });
});

test("events of one request have its id and route, however deep they happen", async () => {
  await withLogScope({ requestId: "r1", route: "/faq" }, async () => {
    await Promise.resolve();
    logEvent("something");
  });
  expect(logged()).toEqual({ event: "something", requestId: "r1", route: "/faq" });
});

test("e-mail addresses are removed from texts that come from outside", () => {
  const fault = "Only mara.lind+x@musicians.example, or <op@site.example>, may be written to";
  logEvent("mail_send_failed", { fault, error: new Error("to: a@b.example") });
  expect(logged()).toEqual({
    event: "mail_send_failed",
    fault: "Only [address] or <[address]>, may be written to",
    error: "Error: to: [address]",
  });
});
