import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach } from "vitest";
import { allTables } from "../support/database/contents";

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
  const tables = await allTables();
  await env.DB.batch([
    // Within a transaction, so that the order of the tables does not matter.
    env.DB.prepare("PRAGMA defer_foreign_keys = ON"),
    ...tables.map((name) => env.DB.prepare(`DELETE FROM "${name}"`)),
  ]);
});
