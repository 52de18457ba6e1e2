/** The add-song screen: the songs to choose from, pasted links, and the question. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { readConfig } from "~/platform/env";
import { trackOf } from "../../support/catalogue";
import { rowsOf } from "../../support/database/contents";
import { freePrice, makeSong, makeUser } from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { request } from "../../support/request";
import { control, sandboxRequests } from "../../support/sandbox";

const musician = "ulrike-birkenfels";
const track = trackOf(musician, 3);
const { spotifyOpenUrl, spotifyShareUrls } = readConfig(env);

/** A musician who may submit. */
async function ready(credits = freePrice) {
  await control("reset", { musician });
  const user = await makeUser({ credits });
  return { user, ...(await makeSession(user, { musician })) };
}

async function screen(cookie: string, query: Record<string, string> = {}): Promise<string> {
  const search = new URLSearchParams({ menu: "addownsong", ...query });
  const answer = await request(`/?${search}`, { cookie });
  expect(answer.status).toBe(200);
  return (await answer.text()).replace(/<!-- -->|<\/?span>/g, "").replaceAll("&#x27;", "'");
}

/** The tracks that can be chosen. */
function offered(page: string): string[] {
  return [...page.matchAll(/menu=addownsong&amp;track=(\w+)/g)].map(([, id = ""]) => id);
}

const calls = async () =>
  (await sandboxRequests(musician)).filter(({ path }) => path.startsWith("/v1/"));

test("before a word is typed, the songs of the artist submitted last stand there, each with how it stands", async () => {
  const { user, cookie } = await ready();
  await makeSong(user, { ...trackOf(musician, 2), received: 2 });
  await makeSong(user, { ...track, received: 5 });
  const page = await screen(cookie);
  const all = [1, 2, 3].map((n) => trackOf(musician, n).trackId);
  expect(offered(page)).toEqual(expect.arrayContaining(all));
  expect(new Set(offered(page)).size).toBe(offered(page).length);
  expect(page).toContain(`Songs by <bdi>${track.artists[0]}</bdi>`);
  expect(page).toContain("Submitted before: 2 of its 5 ratings are in.");
  expect(page).toContain("Submitted before: all of its 5 ratings are in.");
  expect((await calls()).map(({ path }) => path)).toEqual(["/v1/search"]);
});

test("of two songs submitted at the same time, one is always the last", async () => {
  const { user, cookie } = await ready();
  const last = await makeSong(user, track);
  await makeSong(user, trackOf("eino-kallas", 3));
  const name = env.DB.prepare("UPDATE submissions SET id = 'z' WHERE song_id = ?");
  await name.bind(last.id).run();
  expect(await screen(cookie)).toContain(`Songs by <bdi>${track.artists[0]}</bdi>`);
});

test("a song that was submitted before is offered under that id, and no other", async () => {
  const { user, cookie } = await ready();
  // The same recording as a single.
  const single = { ...track, trackId: "0".repeat(22) };
  await makeSong(user, single);
  const page = await screen(cookie);
  expect(offered(page)).toContain(single.trackId);
  expect(offered(page)).not.toContain(track.trackId);
});

test("where Spotify does not answer, the screen says so and keeps the songs that it knows", async () => {
  const { user, cookie } = await ready();
  await makeSong(user, track);
  await control("fail", { musician, route: "GET /v1/search", times: -1, status: 503 });
  const page = await screen(cookie);
  expect(page).toContain("We could not search Spotify right now.");
  expect(page).toContain('type="search"');
  expect(offered(page)).toEqual([track.trackId]);
});

test.each([
  ["one word", "ä".repeat(240)],
  ["many words", "Of this and that ".repeat(14)],
  ["no letter", "🎸".repeat(120)],
])(
  "an album's and an artist's songs are found, however long their names are: %s",
  async (_, name) => {
    const { cookie } = await ready();
    const body = {
      ...{ id: "1".repeat(22), name, artists: [], images: [] },
      external_urls: { spotify: `${spotifyOpenUrl}/album/x` },
    };
    for (const route of ["GET /v1/albums/:id", "GET /v1/artists/:id"]) {
      await control("fail", { musician, route, times: -1, status: 200, body });
    }
    const page = await screen(cookie, { album: body.id, artist: body.id });
    expect(page).toContain("Spotify lists no songs here.");
    expect(page).not.toContain("notice error");
  },
);

test("whoever submitted a song of an artist with a long name, or searches for many words, gets an answer", async () => {
  const { user, cookie } = await ready();
  await makeSong(user, { ...track, artists: ["Æ".repeat(251)] });
  expect(await screen(cookie)).not.toContain("notice error");
  expect(await screen(cookie, { q: "🎸".repeat(199) })).toContain("No songs found for");
  expect((await calls()).map(({ status }) => status)).toEqual([200, 200]);
});

test.each([400, 403, 404, 414])(
  "a search that Spotify refuses with %i is refused, not put off",
  async (status) => {
    const { cookie } = await ready();
    await control("fail", { musician, route: "GET /v1/search", times: -1, status });
    const page = await screen(cookie, { q: "midnight" });
    expect(page).toContain("Spotify does not take this search.");
    expect(page).not.toContain("in a moment");
  },
);

test.each([
  `${spotifyOpenUrl}/track/${track.trackId}?si=abc`,
  `https://open.spotify.com/intl-de/track/${track.trackId}`,
  `spotify:track:${track.trackId}`,
  ...spotifyShareUrls.map((base) => `${base}/${track.trackId}?si=abc`),
])("%s is the song", async (q) => {
  const { cookie } = await ready();
  const page = await screen(cookie, { q });
  expect(page).toContain("<h1>Submit “");
  expect(page).toContain(`name="trackId" value="${track.trackId}"`);
  expect((await calls()).map(({ path }) => path)).toEqual([`/v1/tracks/${track.trackId}`]);
});

test.each([
  [`${spotifyOpenUrl}/playlist/x`, "This link leads to a playlist."],
  [`${spotifyOpenUrl}/album/x`, "This is not a link to a song on Spotify."],
  [`${spotifyShareUrls[0]}/no-such-code`, "We could not follow this short link. Please open it"],
  ["https://elsewhere.example/track", "This is not a link to a song on Spotify."],
  ["spotify:track:0000000000000000000000", "Spotify has no such song."],
])("%s is none, and the screen says why", async (q, text) => {
  const { cookie } = await ready();
  const page = await screen(cookie, { q });
  expect(page).toContain(text);
  expect(offered(page)).toEqual([]);
});

test("the question says what a song costs and brings, and leads back to what was found", async () => {
  await makeSong(await makeUser());
  const { cookie } = await ready(freePrice + 2);
  const page = await screen(cookie, { track: track.trackId, q: "midnight" });
  expect(page).toContain(`This uses ${freePrice} of your ${freePrice + 2} ratings.`);
  expect(page).toContain("It gets 5 ratings from other musicians.");
  expect(page).toContain("Too few songs lately to say how long that takes.");
  expect(page).toContain('href="/?menu=addownsong&amp;q=midnight"');
  expect(page).toContain(`name="trackId" value="${track.trackId}"`);
  expect(await rowsOf("SELECT id FROM submissions WHERE spent > 0")).toEqual([]);
});

test("the question about a song submitted before tells of a second listen, and what is still to come", async () => {
  const { user, cookie } = await ready();
  const { id } = await makeSong(user, { ...track, received: 3 });
  const page = await screen(cookie, { track: track.trackId });
  expect(page).toContain("This is its second submission: it gets 5 more ratings");
  expect(page).toContain("2 of its 5 ratings are still to come");
  const back = "submitting it again promises 5 more and brings it back into the rotation.";
  expect(page).not.toContain(back);
  await request(`/songs/${id}/withdraw`, { cookie, form: {} });
  expect(await screen(cookie, { track: track.trackId })).toContain(back);
});

test.each([
  [{ is_playable: false }, "Spotify does not play this song at the moment"],
  [{ is_playable: false, name: null, artists: null }, "Spotify does not play this song"],
  [{ duration_ms: 3000 }, "This song is too short to be rated"],
])("a song with %j cannot be submitted, which the question says", async (changes, text) => {
  const { cookie } = await ready();
  const body = {
    ...{ id: track.trackId, name: track.title, artists: [], album: { name: "", images: [] } },
    ...{ duration_ms: 180_000, external_urls: { spotify: `${spotifyOpenUrl}/track/x` } },
    ...changes,
  };
  await control("fail", { musician, route: "GET /v1/tracks/:id", times: -1, status: 200, body });
  const page = await screen(cookie, { track: track.trackId });
  expect(page).toContain(text);
  expect(page).not.toContain('action="/submissions"');
});

test.each(["", "x", "../me", "0".repeat(23)])(
  "%j is no track, and Spotify is not asked",
  async (id) => {
    const { cookie } = await ready();
    const page = await screen(cookie, { track: id });
    expect(page).toContain("Spotify has no such song.");
    expect(await calls()).toEqual([]);
  },
);
