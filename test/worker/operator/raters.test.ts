/** Operators have songs too: what they see of somebody does not tell what that person did with one of them. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { listeningActions } from "../../support/actions/listening";
import { makeListener, makeRater } from "../../support/actions/world";
import { rowsOf } from "../../support/database/contents";
import {
  insert,
  makeListen,
  makeSong,
  makeUser,
  type TestUser,
} from "../../support/database/factories";
import { owe } from "../../support/mails";
import { makeOperator } from "../../support/operator";
import { request } from "../../support/request";

const musician = "keziah-umberland";
const day = 86_400_000;

interface Deed {
  name: string;
  /** Readies a listener with a song of somebody else's, for what they do with it. */
  prepare(musician: string): Promise<{ act(): Promise<unknown> }>;
}

/** All that listeners do with others' songs, as the tests of cost and faults have it. */
const actions: Deed[] = listeningActions
  .filter(({ name }) => !/^asking|submi|bring|withdraw|shar|link/i.test(name))
  .map(({ name, prepare }) => ({
    name,
    async prepare(its) {
      const { act } = await prepare(its);
      return { act: () => act(env, "program") };
    },
  }));

const more: Deed[] = [
  {
    name: "a rating, after which another package is drawn",
    async prepare(its) {
      const { cookie, on } = await makeListener(its, { listen: "confirmed" });
      for (let n = 0; n < 6; n += 1) await makeSong(await makeUser());
      return {
        async act() {
          await on("rating", { score: "4" }).act(env, "program");
          await request("/", { cookie });
        },
      };
    },
  },
  {
    name: "a rating that leaves nothing to rate, and a mail when there are songs again",
    async prepare(its) {
      const { user, cookie, on } = await makeListener(its, { listen: "confirmed" });
      return {
        async act() {
          await on("rating", { score: "4" }).act(env, "program");
          await request("/", { cookie });
          await owe(user.id, "songs_again");
        },
      };
    },
  },
  {
    name: "another score within the minute",
    async prepare(its) {
      const { on } = await makeRater(its);
      return { act: () => on("rating", { score: "1" }).act(env, "program") };
    },
  },
  {
    name: "a listen that ends the one of another song",
    async prepare(its) {
      const { user, on } = await makeListener(its);
      const other = await makeSong(await makeUser());
      const startedAt = Date.now() - 90_000;
      await makeListen(user, other, { startedAt, finishedAt: startedAt + 60_000 });
      return { act: () => on("play", { deviceId: "here" }).act(env, "program") };
    },
  },
  {
    name: "premium, bought at the song",
    async prepare(its) {
      const { user, song } = await makeListener(its, { tier: "premium" });
      return {
        async act() {
          const write = env.DB.prepare(
            "UPDATE subscriptions SET return_to = ?, updated_at = updated_at + 1 WHERE user_id = ?",
          );
          await write.bind(`/?song=${song.id}`, user.id).run();
        },
      };
    },
  },
  {
    name: "nothing for a week, which ends the login,",
    async prepare(its) {
      const { session } = await makeListener(its);
      const age = env.DB.prepare("UPDATE sessions SET created_at = created_at - ? WHERE id = ?");
      await age.bind(8 * day, session.id).run();
      const end = env.DB.prepare("DELETE FROM sessions WHERE id = ?").bind(session.id);
      return { act: () => end.run() };
    },
  },
];

/** Whoever is logged in, and the owner of the song that was readied for them first. */
async function readied(): Promise<{ listener: TestUser; owner: TestUser }> {
  const [ids] = (await rowsOf(
    `SELECT user_id AS listener, owner_id AS owner FROM sessions, songs
     WHERE owner_id <> user_id ORDER BY songs.rowid LIMIT 1`,
  )) as { listener: string; owner: string }[];
  if (!ids) throw new Error("Nobody has a song of somebody else's.");
  return {
    listener: { id: ids.listener, displayName: "" },
    owner: { id: ids.owner, displayName: "" },
  };
}

test.each([...actions, ...more])("$name, of a song of the operator's", async ({ prepare }) => {
  const { act } = await prepare(musician);
  const { listener, owner } = await readied();
  // What they do next begins another visit.
  await env.DB.batch([
    env.DB.prepare("UPDATE users SET last_active_at = last_active_at - 2400000"),
    env.DB.prepare("UPDATE sessions SET last_seen_at = last_seen_at - 2400000"),
  ]);
  const operator = await makeOperator(owner);
  const stored = () =>
    rowsOf(
      `SELECT users.*, sessions.*, (SELECT return_to FROM subscriptions) FROM users
       JOIN sessions ON user_id = users.id WHERE users.id = ?`,
      listener.id,
    );
  const before = { seen: await operator.look(listener.id), stored: await stored() };
  await act();
  expect(await stored()).not.toEqual(before.stored);
  const after = await operator.look(listener.id);
  expect(after).toContain(listener.id);
  expect(after).toEqual(before.seen);
});

test("who deletes a listener does not learn whether Spotify had refused them the operator's song", async () => {
  const { user, page, act } = await makeOperator();
  const song = await makeSong(user);
  const listeners = [await makeUser(), await makeUser(), await makeUser()];
  for (const { id } of listeners) {
    await insert("unplayable_reports", { song_id: song.id, user_id: id, created_at: 1 }).run();
  }
  await env.DB.prepare("UPDATE songs SET resting_since = 1").run();
  const shown = async () => /<article.*?<\/article>/s.exec(await page())?.[0];
  const before = await shown();
  expect(before).toContain("This is your own song");
  const form = { do: "delete", user: listeners[0]?.id ?? "", reason: "Asked.", sure: "on" };
  expect((await act(form)).status).toBe(303);
  expect(await shown()).toEqual(before);
});

test("that a mail about songs to rate has failed tells no operator that there were none left", async () => {
  const { user } = await makeListener(musician);
  const { page } = await makeOperator();
  for (const kind of ["songs_again", "premium_ended"] as const) {
    const id = await owe(user.id, kind);
    const fail = "UPDATE outbox SET state = 'failed', fault = '422', mail_id = id WHERE id = ?";
    await env.DB.prepare(fail).bind(id).run();
  }
  const text = await page();
  expect(text).toContain("“premium_ended” to");
  expect(text).not.toContain("songs_again");
});
