/** Names, titles and words that nobody can see, on their way through the product. */
import { beforeEach, expect, test } from "vitest";
import { skipWaits } from "../../support/clock";
import { rowsOf } from "../../support/database/contents";
import { freePrice, makePackage, makeSong, makeUser } from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { makeOperator } from "../../support/operator";
import { request } from "../../support/request";
import { control, sandboxRequests } from "../../support/sandbox";
import { cookieOf, logIn } from "../session/login-flow";

beforeEach(skipWaits);

const filler = "\u3164";

interface Made {
  musician: { id: string };
  songs: { id: string }[];
}

function made(name: string, titles: string[]): Promise<Made> {
  return control<Made>("musician", { name, titles });
}

test("a member and a song whose names nobody can see have names to go by, and can search", async () => {
  const { musician, songs } = await made(" ", [filler]);
  const cookie = cookieOf(await logIn(musician.id), "__Host-session");
  expect(await rowsOf("SELECT display_name FROM users")).toEqual([{ display_name: musician.id }]);
  const screen = await (await request("/?menu=addownsong", { cookie })).text();
  expect(screen).not.toContain("could not search");

  const user = await makeUser({ credits: freePrice });
  const session = await makeSession(user, { musician: musician.id });
  const form = { trackId: songs[0]?.id ?? "", key: crypto.randomUUID() };
  const added = await request("/submissions", { cookie: session.cookie, form });
  expect(added.status).toBe(303);
  const [song] = (await rowsOf("SELECT title, artists, album FROM songs")) as Record<
    "title" | "artists" | "album",
    string
  >[];
  expect(song).toMatchObject({
    title: "Untitled",
    artists: expect.stringMatching(/^\["Unknown artist"/),
  });
  const list = await (await request("/ratings-of-my-songs", session)).text();
  expect(list).toContain("Untitled");
  expect(list).not.toContain(filler);
  // The artist that all of these share is nobody, so that their songs are not looked for.
  const again = await (await request("/?menu=addownsong", session)).text();
  expect(again).not.toContain("Songs by <bdi>Unknown artist");
});

test("names are stored as they come out again: on one line, in whole letters, without piles of marks", async () => {
  const pile = "\u0489".repeat(400);
  const { musician, songs } = await made("Ro\ud800bin", [`Ti\udc00tle${pile}\r\nof\0 two`]);
  const user = await makeUser({ credits: freePrice });
  const session = await makeSession(user, { musician: musician.id });
  const form = { trackId: songs[0]?.id ?? "", key: crypto.randomUUID() };
  await request("/submissions", { cookie: session.cookie, form });
  expect(await rowsOf("SELECT title, artists FROM songs")).toEqual([
    {
      title: `Title${"\u0489".repeat(8)} of two`,
      artists: expect.stringMatching(/^\["Robin"/),
    },
  ]);
});

test.each([filler, "\u200b", " \u00a0 ", "\u2800", "\u202e"])(
  "a search for %j is none",
  async (words) => {
    const { musician } = await made("Tam Oduya", ["Slow Water"]);
    const { cookie } = await makeSession(await makeUser(), { musician: musician.id });
    await request(`/?${new URLSearchParams({ menu: "addownsong", q: words })}`, { cookie });
    const asked = (await sandboxRequests(musician.id)).filter(({ path }) => path === "/v1/search");
    expect(asked.map(({ query }) => query.q)).not.toContain(words);
  },
);

test.each([filler, " \u200b\n", "\u2800"])("%j in a report are no words", async (words) => {
  const song = await makeSong(await makeUser());
  const user = await makeUser();
  await makePackage(user, [song]);
  const { cookie } = await makeSession(user);
  const form = { reason: "report", words };
  expect((await request(`/songs/${song.id}/pass`, { cookie, form })).status).toBe(422);
  expect(await rowsOf("SELECT words FROM reports")).toEqual([]);
});

test("a report's words keep what belongs to them, and turn nothing round", async () => {
  const song = await makeSong(await makeUser());
  const user = await makeUser();
  await makePackage(user, [song]);
  const { cookie } = await makeSession(user);
  const form = { reason: "report", words: " \u202eنمی\u200cدانم\u2066 " };
  await request(`/songs/${song.id}/pass`, { cookie, form });
  expect(await rowsOf("SELECT words FROM reports")).toEqual([{ words: "نمی\u200cدانم" }]);
});

test("a decision needs a reason that its owner can see", async () => {
  const { act } = await makeOperator();
  const owner = await makeUser();
  for (const reason of [filler, "\u200b\u200b", "\u2800 "]) {
    expect([reason, (await act({ do: "lock", user: owner.id, reason })).status]).toEqual([
      reason,
      422,
    ]);
  }
  expect(await rowsOf("SELECT * FROM submission_locks")).toEqual([]);
});
