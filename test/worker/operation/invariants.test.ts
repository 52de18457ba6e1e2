import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import {
  insert,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
} from "../../support/database/factories";
import { exemptFromInvariants } from "../../support/database/invariant-check";
import { findViolations } from "../../support/database/invariants";

/** A song with two submissions, ratings and a package, as the factories make them. */
async function populate() {
  const owner = await makeUser();
  const rater = await makeUser({ credits: 2 });
  const song = await makeSong(owner, { submittedAt: [1000, 2000], received: 4 });
  await makeRating(rater, song);
  await makePackage(rater, [song]);
  return { owner, rater, song };
}

test("the factories break no invariant, and the queries run on D1", async () => {
  await populate();
  expect(await findViolations(env.DB)).toEqual([]);
});

test("a wrong count is found on D1, with its row", async () => {
  exemptFromInvariants("received is the number of ratings");
  const { song } = await populate();
  await env.DB.prepare("UPDATE songs SET received = 6 WHERE id = ?").bind(song.id).run();
  expect(await findViolations(env.DB)).toEqual([
    {
      name: "received is the number of ratings",
      rows: [{ id: song.id, received: 6, ratings: 5 }],
    },
  ]);
});

test("D1 itself refuses writes that the app must never make", async () => {
  exemptFromInvariants("nobody listens to their own song");
  const { owner, rater, song } = await populate();
  const rating = {
    song_id: song.id,
    owner_id: owner.id,
    score: 3,
    owes_mail: 0,
    created_at: 3000,
  };
  const listen = { song_id: song.id, required_seconds: 55, started_at: 3000 };
  const finished = { ...listen, finished_at: 60_000, evidence: "clock" };
  const stranger = await makeUser();
  await insert("listens", { id: "l1", user_id: rater.id, ...finished }).run();
  await insert("listens", { id: "l2", user_id: owner.id, ...finished }).run();
  await insert("listens", { id: "l4", user_id: stranger.id, ...listen }).run();
  const refused: [string, D1PreparedStatement][] = [
    ["UNIQUE", insert("ratings", { id: "r", rater_id: rater.id, listen_id: "l1", ...rating })],
    ["CHECK", insert("ratings", { id: "r", rater_id: owner.id, listen_id: "l2", ...rating })],
    ["UNIQUE", insert("listens", { id: "l3", user_id: rater.id, ...listen })],
    ["CHECK", env.DB.prepare("UPDATE listens SET finished_at = 59000, evidence = 'clock'")],
    ["CHECK", env.DB.prepare("UPDATE songs SET owed_since = NULL")],
    ["CHECK", env.DB.prepare("UPDATE users SET credits = -1")],
    ["FOREIGN KEY", insert("package_songs", { package_id: "no", song_id: song.id, position: 0 })],
  ];
  for (const [constraint, statement] of refused) {
    await expect(statement.run()).rejects.toThrow(`${constraint} constraint failed`);
  }
  // A rating needs a listen that is the rater's own and finished.
  for (const listen_id of ["l1", "l4", null]) {
    const unheard = insert("ratings", { id: "r", rater_id: stranger.id, listen_id, ...rating });
    await expect(unheard.run()).rejects.toThrow("a rating needs the finished listen");
  }
});
