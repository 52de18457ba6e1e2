import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { musicianById, randomFrom } from "../../sandbox/catalogue.ts";
import { trackOf } from "../../support/catalogue";
import { rowsOf } from "../../support/database/contents";
import { makeSong, makeUser } from "../../support/database/factories";
import { addressOf, deliver, mailsTo } from "../../support/mails";
import { type SimulatedUser, simulateUser } from "../../support/simulated-user";

/** Enough to compete for every song. */
const crowd = 9;
/** Musicians with songs whom no other test file uses: this one and those after it. */
const ids = [...musicianById.keys()];
const musicians = ids
  .slice(ids.indexOf("aurelio-montefosco"))
  .filter((id) => [5, 6, 7].includes(musicianById.get(id)?.trackIds.length ?? 0))
  .slice(0, crowd);

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => {});
});

/** Every user has a song in rotation. Every third song is owed only one more rating, for which all compete. */
async function makeUsers(): Promise<SimulatedUser[]> {
  const users: SimulatedUser[] = [];
  for (const [n, musician] of musicians.entries()) {
    const user = await makeUser({ tier: n % 3 === 1 ? "premium" : "free" });
    const [first, ...tracks] = musicianById.get(musician)?.trackIds ?? [];
    expect(first).toBe(trackOf(musician).trackId);
    await makeSong(user, { ...trackOf(musician), received: n % 3 === 0 ? 4 : 0 });
    users.push(simulateUser(user, musician, tracks, randomFrom(`a life of ${musician}`)));
  }
  return users;
}

/** What the database says about a user, for comparison with the responses. */
async function recorded({ user: { id } }: SimulatedUser, since: number) {
  const [counts] = await rowsOf(
    `SELECT rated_count AS rated, credits, receive_rating_emails AS wanted,
       (SELECT count(*) FROM ratings WHERE rater_id = users.id) AS ratings,
       (SELECT total(spent) FROM submissions WHERE owner_id = users.id) AS spent
     FROM users LEFT JOIN email_preferences ON user_id = users.id WHERE users.id = ?`,
    id,
  );
  const submitted = await idsOf(
    "SELECT id FROM submissions WHERE owner_id = ? AND created_at >= ? ORDER BY id",
    ...[id, since],
  );
  return { ...(counts as { spent: number }), submitted };
}

async function idsOf(sql: string, ...values: (string | number)[]): Promise<string[]> {
  return (await rowsOf(sql, ...values)).map((row) => (row as { id: string }).id);
}

/** Delivers all due mails to two consumers at once, each message twice, until none is pending. */
async function sendMails(): Promise<void> {
  const pending = "SELECT id FROM outbox WHERE state = 'pending'";
  async function send(): Promise<number> {
    // Mails that some consumer has claimed keep their time.
    await env.DB.prepare(
      "UPDATE outbox SET not_before = 1 WHERE state = 'pending' AND mail_id IS NULL",
    ).run();
    const ids = await idsOf(pending);
    // As many as one query can name.
    const batches = Array.from({ length: Math.ceil(ids.length / 100) }, (_, n) =>
      ids.slice(n * 100, n * 100 + 100),
    );
    await Promise.all([...batches, ...batches].map((batch) => deliver([...batch, ...batch])));
    return (await idsOf(pending)).length;
  }
  await expect.poll(send, { timeout: 240_000, interval: 500 }).toBe(0);
}

test("nothing is lost or done twice if many users at once press everything twice", async () => {
  const users = await makeUsers();
  const since = Date.now();
  await Promise.all(users.map((user) => user.live()));

  // The users did compete, and all of them submitted a song.
  expect(await idsOf("SELECT id FROM songs WHERE received > entitled")).not.toEqual([]);
  expect(users.filter(({ told }) => told.submissions.size === 0)).toEqual([]);
  const statuses = new Set(users.flatMap(({ told }) => [...told.statuses.keys()]));
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);

  for (const user of users) {
    const { rated, submissions, wantsMails } = user.told;
    const found = await recorded(user, since);
    const last = wantsMails.at(-1);
    expect(found).toEqual({
      ...{ rated, ratings: rated, spent: found.spent, credits: rated - found.spent },
      ...{ submitted: [...submissions].sort(), wanted: last === undefined ? null : Number(last) },
    });
  }

  await sendMails();
  for (const { user, told } of users) {
    const of = "FROM outbox WHERE user_id = ? AND state =";
    const sent = await rowsOf(`SELECT DISTINCT mail_id ${of} 'sent'`, user.id);
    const mails = await mailsTo(addressOf(user));
    expect([user.id, mails.length]).toEqual([user.id, sent.length]);
    const skipped = await rowsOf(`SELECT id ${of} 'skipped'`, user.id);
    expect([user.id, skipped.length > 0 && !told.wantsMails.includes(false)]).toEqual([
      user.id,
      false,
    ]);
  }
  expect(await rowsOf("SELECT id FROM outbox WHERE state = 'failed'")).toEqual([]);
}, 300_000);
