import { expect, test } from "vitest";
import { rowsOf } from "../../support/database/contents";
import { makeListen, makeSong, makeUser } from "../../support/database/factories";
import { makeMember } from "../../support/login";
import { request } from "../../support/request";

/** Somebody who heard a song an hour ago and rates it. */
async function ready() {
  const song = await makeSong(await makeUser());
  const { user, cookie } = await makeMember();
  const startedAt = Date.now() - 3_600_000;
  await makeListen(user, song, { startedAt, finishedAt: startedAt + 56_000 });
  const rate = (asked: object) => request(`/songs/${song.id}/rating`, { cookie, ...asked });
  return { cookie, rate, ratedPage: `/?rated=${song.id}` };
}

test("a rating by form leads back to the carousel, which repeats the rating", async () => {
  const { cookie, rate, ratedPage } = await ready();
  const { status, headers } = await rate({ form: { score: "4" } });
  expect([status, headers.get("Location")]).toEqual([303, ratedPage]);
  const page = await request(ratedPage, { cookie });
  const text = await page.text();
  expect(text).toMatch(
    /<p role="status"><span[^>]*>Song successfully rated with: <\/span><svg.*?<\/svg><b>Added to my playlist!<\/b><\/p>/,
  );
});

test("a rating by script gets a JSON response, and after a minute one that it is there already", async () => {
  const { rate } = await ready();
  const answer = await rate({ json: { score: 3 } });
  expect(await answer.json()).toEqual({ ok: true, score: 3, label: "Great Song" });
  expect(await rowsOf("SELECT score FROM ratings")).toEqual([{ score: 3 }]);
  await rowsOf("UPDATE ratings SET created_at = created_at - 60000 RETURNING id");
  const again = await rate({ json: { score: 3 } });
  expect([again.status, await again.json()]).toEqual([
    409,
    { error: "You have already rated this song." },
  ]);
});
