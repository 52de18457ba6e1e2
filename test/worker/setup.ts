import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, expect } from "vitest";
import { installClock, resetClock } from "../support/clock";
import { emptyDatabase } from "../support/database/contents";
import { endExemptions, unexpectedViolations } from "../support/database/invariant-check";

// The bundle has no source map, and looking for one takes 5 ms per stack frame. Stripe's library
// creates an error for every call, to remember the caller.
const mapped = Error.prepareStackTrace;
Error.prepareStackTrace = (error, frames) => {
  const inBundle = frames.some((frame) => frame.getFileName()?.endsWith("/build/index.js"));
  return inBundle ? [error, ...frames].join("\n    at ") : mapped(error, frames);
};

installClock();

beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));

/** Each test begins with an empty database, because all users share one pool of songs. */
beforeEach(async () => {
  resetClock();
  endExemptions();
  await emptyDatabase();
});

/** After every test the database must be consistent. */
afterEach(async () => {
  expect(await unexpectedViolations()).toEqual([]);
});
