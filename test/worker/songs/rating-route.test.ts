import { expect, test } from "vitest";
import { rowsOf } from "../../support/database/contents";
import { makeListen, makeSong, makeUser, type TestSong } from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { request } from "../../support/request";

/** A logged-in rater who heard a song an hour ago. */
async function ready() {
  const owner = await makeUser();
  const song = await makeSong(owner);
  const rater = await makeUser();
  const startedAt = Date.now() - 3_600_000;
  await makeListen(rater, song, { startedAt, finishedAt: startedAt + 56_000 });
  return { owner, song, cookie: (await makeSession(rater)).cookie };
}

function ratingPath(song: TestSong): string {
  return `/songs/${song.id}/rating`;
}

test("a rating by form leads back to the carousel, which repeats the rating", async () => {
  const { song, cookie } = await ready();
  const answer = await request(ratingPath(song), { cookie, form: { score: "4" } });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/?rated=${song.id}`]);
  const page = await request(`/?rated=${song.id}`, { cookie });
  // React writes comments between text nodes.
  const shown = (await page.text()).replaceAll("<!-- -->", "");
  expect(shown).toMatch(
    /<p role="status"><span>Song successfully rated with: <\/span><b>Added to my playlist!<\/b>/,
  );
});

test("a rating by script gets a JSON response", async () => {
  const { song, cookie } = await ready();
  const answer = await request(ratingPath(song), { cookie, json: { score: 3 } });
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { ok: true, score: 3, label: "Great Song" },
  ]);
  expect(await rowsOf("SELECT score FROM ratings")).toEqual([{ score: 3 }]);
});

test("after a minute a second rating of a song is a 409 that says so", async () => {
  const { song, cookie } = await ready();
  await request(ratingPath(song), { cookie, json: { score: 3 } });
  await rowsOf("UPDATE ratings SET created_at = created_at - 60000 RETURNING id");
  const again = await request(ratingPath(song), { cookie, json: { score: 3 } });
  expect([again.status, await again.json()]).toEqual([
    409,
    { error: "You have already rated this song." },
  ]);
});

test("a missing score is a 422, as a page for people and as JSON for scripts", async () => {
  const { song, cookie } = await ready();
  const page = await request(ratingPath(song), { cookie, form: {} });
  expect([page.status, page.headers.get("Content-Type")]).toEqual([
    422,
    "text/html; charset=utf-8",
  ]);
  expect(await page.text()).toContain("Please choose one of the ratings.");
  const json = await request(ratingPath(song), { cookie, json: {} });
  expect([json.status, await json.json()]).toEqual([
    422,
    { error: "Please choose one of the ratings." },
  ]);
});
