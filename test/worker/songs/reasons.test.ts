import { expect, test } from "vitest";
import { reasonBits } from "~/exchange/rating/reasons";
import { minuteMs } from "~/platform/dates";
import { makeRating } from "../../support/database/factories";
import { change, row } from "../../support/database/rows";
import { type Someone, someone, song } from "../../support/people";
import { request } from "../../support/request";

/** Somebody who rated a song so many minutes ago. */
async function rated(minutesAgo = 1) {
  const it = await song();
  const rater = await someone();
  await makeRating(rater, it, { at: Date.now() - minutesAgo * minuteMs });
  const path = `/songs/${it.id}/reasons`;
  const say = (json: Record<string, unknown>, by: Someone = rater) => by.sends(path, json);
  return { it, rater, path, say, screen: `/?rated=${it.id}` };
}

const stored = async () => (await row("ratings")).reasons;
const groove = { liked: "Groove" };
const grooveAndSound = reasonBits({ liked: ["Groove"], improve: ["Sound"] });

test("reasons by form are stored, and lead back to the confirmation, which shows them", async () => {
  const { rater, path, screen } = await rated();
  expect(await rater.reads(screen)).toContain("What could be better?");
  const body = "liked=Groove&liked=Melody&improve=Sound";
  const type = { "Content-Type": "application/x-www-form-urlencoded", Accept: "text/html" };
  const answer = await rater.posts(path, {}, { body, headers: type });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, screen]);
  expect(await stored()).toEqual(reasonBits({ liked: ["Groove", "Melody"], improve: ["Sound"] }));
  const after = await rater.reads(screen);
  expect(after).toContain('<details open="">');
  expect(after.match(/<input[^>]* checked=""/g)).toHaveLength(3);
});

test("reasons by script get a JSON response, one value or a list, and the last ones count", async () => {
  const { say } = await rated(14);
  for (const json of [{ liked: "Melody" }, { ...groove, improve: ["Sound"] }]) {
    const answer = await say(json);
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
  }
  expect(await stored()).toBe(grooveAndSound);
  expect((await say({})).status).toBe(200);
  expect(await stored()).toBeNull();
});

test("after fifteen minutes nobody is asked any more, and an answer is refused", async () => {
  const { rater, say, screen } = await rated(15);
  expect(await rater.reads(screen)).not.toContain("What could be better?");
  const late = await say(groove);
  const error = "You can say why for 15 minutes after your rating. It counts either way.";
  expect([late.status, await late.json()]).toEqual([409, { error }]);
  expect(await stored()).toBeNull();
});

test.each([
  { what: "four", json: { liked: ["Vocals", "Melody", "Lyrics"], improve: ["Sound"] } },
  { what: "one on both sides", json: { liked: "Vocals", improve: "Vocals" } },
  { what: "one that is no aspect", json: { liked: "Volume" } },
  { what: "a nested list", json: { liked: [["Vocals", {}]] } },
])("a 422 that says what is possible: $what", async ({ json }) => {
  const { say } = await rated();
  const answer = await say(json);
  expect(answer.status).toBe(422);
  expect(await answer.text()).toContain("Choose up to three");
  expect(await stored()).toBeNull();
});

test("only who rated the song can say why: not its owner, nor another rater, nor a visitor", async () => {
  const { it, path, say } = await rated();
  const stranger = await someone();
  for (const by of [stranger, it.owner]) expect((await say(groove, by)).status).toBe(404);
  expect((await stranger.sends("/songs/none/reasons", groove)).status).toBe(404);
  expect((await request(path, { json: groove })).status).toBe(401);
  expect(await stored()).toBeNull();
});

test.each([0, 4096, 0b0000_0100_0001, 0b1111, -1])(
  "the database itself refuses %d as reasons",
  async (reasons) => {
    await rated();
    const cause = { message: expect.stringContaining("ratings_reasons") };
    await expect(change("ratings", {}, { reasons })).rejects.toMatchObject({ cause });
  },
);

test("the export has the reasons that one gave, and a rating that outlives its rater keeps them", async () => {
  const { rater, say } = await rated();
  await say({ ...groove, improve: "Sound" });
  const { ratingsGiven } = await (await rater.sends("/account/export")).json<{
    ratingsGiven: unknown;
  }>();
  const reasons = { liked: ["Groove"], improve: ["Sound"] };
  expect(ratingsGiven).toMatchObject([{ reasons }]);
  expect((await rater.sends("/account/delete")).status).toBe(200);
  expect(await row("ratings")).toMatchObject({ raterId: null, reasons: grooveAndSound });
});
