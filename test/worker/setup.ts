import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, expect } from "vitest";
import { emptyDatabase } from "../support/database/contents";
import { endExemptions, unexpectedViolations } from "../support/database/invariant-check";

// Errors made in the bundle, which has no source map: looking for one takes 5 ms a frame, and
// Stripe's library makes an error for every call, to remember the caller.
const mapped = Error.prepareStackTrace;
Error.prepareStackTrace = (error, frames) => {
  const inBundle = frames.some((frame) => frame.getFileName()?.endsWith("/build/index.js"));
  return inBundle ? [error, ...frames].join("\n    at ") : mapped(error, frames);
};

beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));

/** Each test begins with an empty database: the pool is one for all users, and so would tests be. */
beforeEach(async () => {
  endExemptions();
  await emptyDatabase();
});

/** Whatever a test did, the database is whole afterwards. */
afterEach(async () => {
  expect(await unexpectedViolations()).toEqual([]);
});
