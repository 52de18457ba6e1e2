/** Operators have songs too: what they see of somebody does not tell what that person did with one of them. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { listeningActions } from "../../support/actions/listening";
import { makeListener, makeRater } from "../../support/actions/world";
import { insert, makeListen, makeSong, makeUser } from "../../support/database/factories";
import { change, rows } from "../../support/database/rows";
import { answers, hides, shows } from "../../support/expectations";
import { owe } from "../../support/mails";
import { makeOperator } from "../../support/operator";
import { song } from "../../support/people";
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
  .filter(({ name }) => !/^asking|submi|bring|withdraw|shar|link|new mix/i.test(name))
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
async function readied() {
  const listener = (await rows("sessions"))[0]?.userId ?? "";
  const theirs = (await rows("songs")).find(({ ownerId }) => ownerId !== listener);
  return { listener, owner: { id: theirs?.ownerId ?? "", displayName: "" } };
}

test.each([...actions, ...more])("$name, of a song of the operator's", async ({ prepare }) => {
  const { act } = await prepare(musician);
  const { listener, owner } = await readied();
  // What they do next begins another visit.
  await env.DB.batch([
    env.DB.prepare("UPDATE users SET last_active_at = last_active_at - 2400000"),
    env.DB.prepare("UPDATE sessions SET last_seen_at = last_seen_at - 2400000"),
  ]);
  const { look } = await makeOperator(owner);
  const stored = async () => [
    await rows("users", { id: listener }),
    await rows("sessions", { userId: listener }),
    await rows("subscriptions"),
  ];
  const before = { seen: await look(listener), stored: await stored() };
  await act();
  expect(await stored()).not.toEqual(before.stored);
  const after = await look(listener);
  shows(after, listener);
  expect(after).toEqual(before.seen);
});

test("who deletes a listener does not learn whether Spotify had refused them the operator's song", async () => {
  const { user, page, act } = await makeOperator();
  const { id: song_id } = await song({ owner: { user } });
  const listeners = [await makeUser(), await makeUser(), await makeUser()];
  for (const { id: user_id } of listeners) {
    await insert("unplayable_reports", { song_id, user_id, created_at: 1 }).run();
  }
  await change("songs", {}, { restingSince: 1 });
  const shown = async () => /<article.*?<\/article>/s.exec(await page())?.[0];
  const before = await shown();
  shows(before, "This is your own song");
  const form = { do: "delete", user: listeners[0]?.id ?? "", reason: "Asked.", sure: "on" };
  await answers(act(form), 303);
  expect(await shown()).toEqual(before);
});

test("that a mail about songs to rate has failed tells no operator that there were none left", async () => {
  const { user } = await makeListener(musician);
  for (const kind of ["songs_again", "premium_ended"] as const) await owe(user.id, kind);
  await env.DB.prepare("UPDATE outbox SET state = 'failed', fault = '422', mail_id = id").run();
  const text = await (await makeOperator()).page();
  shows(text, "“premium_ended” to");
  hides(text, "songs_again");
});
