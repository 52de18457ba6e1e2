import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { Billing } from "~/adapters/billing/billing";
import { createDatabase } from "~/db/client.server";
import { sweepOutbox } from "~/domain/outbox/sweep.server";
import { purgeExpired } from "~/domain/retention/purge.server";
import { sweepSongWishes } from "~/domain/song-wish/sweep.server";
import { sweepSubscriptions } from "~/domain/subscription/sweep.server";
import { type CountingDatabase, countingDatabase } from "../../support/database/counting-database";
import { insert, makeListen, makeSong, makeUser } from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { noteQueued } from "../../support/mail-queue";
import { addressOf, deliver, failMails, owe, oweRating, oweSubmission } from "../../support/mails";
import { deliverSpotCheck } from "../../support/spot-checks";
import { actions } from "./actions";
import { pages } from "./pages";

interface Step {
  detail: string;
}

/** The names under which a statement's own subqueries appear in its plan. */
function subqueries(plan: Step[]): string[] {
  return plan.flatMap(({ detail }) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(detail)?.[1] ?? []);
}

/**
 * The steps that scan a whole table or index. Constant rows, VALUES and lists given as JSON are not
 * tables, and neither are subqueries, whose own steps are in the plan too.
 */
function scans(plan: Step[]): string[] {
  const own = subqueries(plan);
  return plan
    .map(({ detail }) => detail)
    .filter((detail) => {
      const [, scanned = ""] = /^SCAN (\S+)/.exec(detail) ?? [];
      if (scanned === "" || scanned === "json_each" || own.includes(scanned)) return false;
      return !/^SCAN (CONSTANT ROW|\d+ CONSTANT ROWS|\d+-ROW VALUES CLAUSE)/.test(detail);
    });
}

async function explain(sql: string, params: unknown[] = []): Promise<Step[]> {
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<Step & Record<string, unknown>>();
  return results;
}

test.each([...pages, ...actions])("$name scans no table or index", async ({ run }) => {
  const { statements } = await run("ayla-demirkan");
  for (const { sql, params } of statements) {
    expect({ sql, scans: scans(await explain(sql, params)) }).toEqual({ sql, scans: [] });
  }
});

describe("mails:", () => {
  async function expectNoScans({ statements }: CountingDatabase): Promise<void> {
    expect(statements.length).toBeGreaterThan(0);
    for (const { sql, params } of statements) {
      expect({ sql, scans: scans(await explain(sql, params)) }).toEqual({ sql, scans: [] });
    }
  }

  test("sending, postponing and failing some of each kind scans no table or index", async () => {
    const ids: string[] = [];
    for (const fault of [null, { status: 500 }, { status: 422 }]) {
      const user = await makeUser();
      const song = await makeSong(user);
      if (fault) await failMails(addressOf(user), { ...fault, times: 3 });
      ids.push(await oweRating(song), await oweRating(song), await oweSubmission(song));
      ids.push(await owe(user.id, "premium_ended"), await owe(user.id, "confirmation"));
    }
    const counting = countingDatabase(env.DB);
    await deliver(ids, { DB: counting.binding });
    await expectNoScans(counting);
    // Claiming; two for the facts in all mails; one for who has unsubscribed; marking the skipped ones;
    // saving the rendered ones; marking each as sent or failed.
    expect(counting.roundTrips()).toBe(1 + 2 + 1 + 3 + 1 + 3 * 3);
  });

  test("neither does the sweep, nor the handling of dead letters", async () => {
    const id = await owe((await makeUser()).id, "premium_ended");
    const counting = countingDatabase(env.DB);
    const queue = { sendBatch: async () => undefined };
    await sweepOutbox(
      createDatabase(counting.binding),
      queue as unknown as typeof env.OUTBOX_QUEUE,
      Date.now(),
    );
    await deliver([id], { DB: counting.binding }, "fivefold-outbox-dead");
    expect(counting.roundTrips()).toBe(2);
    await expectNoScans(counting);
  });
});

test("a spot check scans no table or index, and takes two round trips", async () => {
  const musician = "urszula-bukowska";
  const listener = await makeUser();
  const listenId = await makeListen(listener, await makeSong(await makeUser()));
  await makeSession(listener, { musician });
  const counting = countingDatabase(env.DB);
  await deliverSpotCheck({ listenId, after: null }, { DB: counting.binding });
  expect(counting.roundTrips()).toBe(2);
  for (const { sql, params } of counting.statements) {
    expect({ sql, scans: scans(await explain(sql, params)) }).toEqual({ sql, scans: [] });
  }
});

test("the purge scans no table or index, and takes one round trip", async () => {
  const counting = countingDatabase(env.DB);
  await purgeExpired(createDatabase(counting.binding), Date.now());
  expect(counting.roundTrips()).toBe(1);
  for (const { sql, params } of counting.statements) {
    expect({ sql, scans: scans(await explain(sql, params)) }).toEqual({ sql, scans: [] });
  }
});

test("nor does the look for songs for those who wait for some, in three round trips", async () => {
  const owner = await makeUser();
  await makeSong(owner);
  for (const { id } of [await makeUser(), await makeUser(), owner]) {
    const row = { id: `wish-${id}`, user_id: id, asked_at: 1, looked_at: 1 };
    await insert("song_wishes", { ...row, found_since: id === owner.id ? null : 1 }).run();
  }
  const counting = countingDatabase(env.DB);
  const swept = await sweepSongWishes({
    db: createDatabase(counting.binding),
    mailQueue: noteQueued(),
    now: Date.now(),
  });
  expect(swept).toEqual({ looked: 3, mails: 2 });
  expect(counting.roundTrips()).toBe(3);
  for (const { sql, params } of counting.statements) {
    expect({ sql, scans: scans(await explain(sql, params)) }).toEqual({ sql, scans: [] });
  }
});

test("the daily choice of subscriptions to check scans no table or index", async () => {
  const counting = countingDatabase(env.DB);
  const nobody = {} as Billing;
  await sweepSubscriptions({
    db: createDatabase(counting.binding),
    billing: nobody,
    mailQueue: noteQueued(),
    now: Date.now,
  });
  expect(counting.statements).toHaveLength(2);
  for (const { sql, params } of counting.statements) {
    expect({ sql, scans: scans(await explain(sql, params)) }).toEqual({ sql, scans: [] });
  }
});

test("a statement that would scan one is found", async () => {
  const guilty = [
    "SELECT * FROM songs",
    "SELECT * FROM songs ORDER BY owed_since LIMIT 150",
    "SELECT count(*) FROM ratings",
    "SELECT * FROM users WHERE email = 'x'",
    "SELECT * FROM (SELECT * FROM ratings ORDER BY score LIMIT 3) AS last JOIN songs ON title = 'x'",
    "DELETE FROM sessions WHERE user_id IN (SELECT id FROM users WHERE display_name = 'x')",
  ];
  for (const sql of guilty) {
    expect({ sql, found: scans(await explain(sql)).length > 0 }).toEqual({ sql, found: true });
  }
});
