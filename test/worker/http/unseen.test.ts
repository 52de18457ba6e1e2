/** What a browser loads in advance, and perhaps never shows, changes nothing. */
import { expect, test } from "vitest";
import { contents, rowsOf } from "../../support/database/contents";
import { makeRating, makeSong, makeUser } from "../../support/database/factories";
import { makeMember } from "../../support/login";
import { pages } from "../../support/pages";
import { dataOf, request } from "../../support/request";

const hour = 3_600_000;

/** A member who was here an hour ago, with news, songs to rate, and an export to take. */
async function makeWorld() {
  const { user, cookie } = await makeMember({ lastSeenAt: Date.now() - hour, credits: 6 });
  const song = await makeSong(user);
  await makeRating(await makeUser(), song, { at: Date.now() - hour });
  for (let n = 0; n < 7; n += 1) await makeSong(await makeUser());
  return { song, cookie };
}

test.each([
  { "Sec-Purpose": "prefetch;prerender" },
  { "Sec-Purpose": "prefetch" },
  { "Sec-Purpose": "prefetch;anonymous-client-ip" },
  { Purpose: "prefetch" },
  { "X-Moz": "prefetch" },
  { "X-Purpose": "preview" },
])("a member's pages are not loaded in advance (%j), and change nothing", async (headers) => {
  const { song, cookie } = await makeWorld();
  const before = await contents();
  const own = `/ratings-of-my-songs/${song.id}`;
  const paths = [...pages, own, `${own}.csv`, "/account/export", "/login", "/?menu=addownsong"];
  for (const path of [...paths, dataOf("/"), dataOf("/ratings-of-my-songs"), dataOf(own)]) {
    for (const method of ["GET", "HEAD"]) {
      const answer = await request(path, { cookie, headers, method });
      // A shared result is the same for everybody, and nobody's cookie is read.
      expect([path, answer.status]).toEqual([
        path,
        path === "/r/none" && method === "GET" ? 404 : 503,
      ]);
      expect(answer.headers.get("Cache-Control")).toContain("no-store");
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  }
  expect(await contents()).toEqual(before);
});

test("what is opened then counts as seen, and draws songs", async () => {
  const { song, cookie } = await makeWorld();
  const headers = { "Sec-Purpose": "prefetch;prerender" };
  const news = () => rowsOf("SELECT news_since IS NULL AS seen FROM songs WHERE id = ?", song.id);
  for (const path of ["/", `/ratings-of-my-songs/${song.id}`]) {
    await request(path, { cookie, headers });
    expect([await news(), await rowsOf("SELECT id FROM packages")]).toEqual([[{ seen: 0 }], []]);
  }
  expect((await request("/", { cookie })).status).toBe(200);
  expect(await rowsOf("SELECT id FROM packages")).toHaveLength(1);
  expect((await request(`/ratings-of-my-songs/${song.id}`, { cookie })).status).toBe(200);
  expect(await news()).toEqual([{ seen: 1 }]);
});

test("visitors' pages may be loaded in advance, with what stands in them, and change nothing", async () => {
  const before = await contents();
  const headers = { "Sec-Purpose": "prefetch;prerender" };
  for (const path of ["/", "/faq", "/imprint", "/login/email"]) {
    expect([path, (await request(path, { headers })).status]).toEqual([path, 200]);
  }
  expect(await contents()).toEqual(before);
});

test("what is posted counts, whatever it says of itself", async () => {
  const { cookie } = await makeWorld();
  const headers = { "Sec-Purpose": "prefetch" };
  const json = { receiveRatingEmails: false };
  expect((await request("/email-preference", { cookie, headers, json })).status).toBe(200);
});
