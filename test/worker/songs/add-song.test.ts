/** The add-song screen: the songs to choose from, pasted links, and the question. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { readConfig } from "~/platform/env";
import { trackOf } from "../../support/catalogue";
import { freePrice } from "../../support/database/factories";
import { change, rows } from "../../support/database/rows";
import { song } from "../../support/people";
import { choices, submitter } from "../../support/people/add-song";
import { sandboxRequests } from "../../support/sandbox";

const musician = "ulrike-birkenfels";
const track = trackOf(musician, 3);
const byArtist = `Songs by <bdi>${track.artists[0]}</bdi>`;
const { spotifyOpenUrl, spotifyShareUrls } = readConfig(env);

test("before a word is typed, the songs of the artist submitted last stand there, each with how it stands", async () => {
  const { user: owner, screen, calls } = await submitter(musician);
  await song({ ...trackOf(musician, 2), received: 2, owner });
  await song({ ...track, received: 5, owner });
  const page = await screen();
  const all = [1, 2, 3].map((n) => trackOf(musician, n).trackId);
  expect(choices(page)).toEqual(expect.arrayContaining(all));
  expect(new Set(choices(page)).size).toBe(choices(page).length);
  expect(page).toContain(byArtist);
  expect(page).toContain("Submitted before: 2 of its 5 ratings are in.");
  expect(page).toContain("Submitted before: all of its 5 ratings are in.");
  expect(await calls()).toEqual(["/v1/search"]);
});

test("of two songs submitted at the same time, one is always the last", async () => {
  const { user: owner, screen } = await submitter(musician);
  const last = await song({ ...track, owner });
  await song({ ...trackOf("eino-kallas", 3), owner });
  await change("submissions", { songId: last.id }, { id: "z" });
  expect(await screen()).toContain(byArtist);
});

test("a song that was submitted before is offered under that id, and no other", async () => {
  const { user: owner, screen } = await submitter(musician);
  // The same recording as a single.
  const single = await song({ ...track, trackId: "0".repeat(22), owner });
  const offered = choices(await screen());
  expect(offered).toContain(single.trackId);
  expect(offered).not.toContain(track.trackId);
});

test("where Spotify does not answer, the screen says so and keeps the songs that it knows", async () => {
  const { user: owner, screen, answers } = await submitter(musician);
  await song({ ...track, owner });
  await answers("search", { status: 503 });
  const page = await screen();
  expect(page).toContain("We could not search Spotify right now.");
  expect(page).toContain('type="search"');
  expect(choices(page)).toEqual([track.trackId]);
});

test.each([
  ["one word", "ä".repeat(240)],
  ["many words", "Of this and that ".repeat(14)],
  ["no letter", "🎸".repeat(120)],
])(
  "an album's and an artist's songs are found, however long their names are: %s",
  async (_, name) => {
    const { screen, answers } = await submitter(musician);
    const body = {
      ...{ id: "1".repeat(22), name, artists: [], images: [] },
      external_urls: { spotify: `${spotifyOpenUrl}/album/x` },
    };
    for (const route of ["albums/:id", "artists/:id"]) await answers(route, { status: 200, body });
    const page = await screen({ album: body.id, artist: body.id });
    expect(page).toContain("Spotify lists no songs here.");
    expect(page).not.toContain("notice error");
  },
);

test("whoever submitted a song of an artist with a long name, or searches for many words, gets an answer", async () => {
  const { user: owner, screen } = await submitter(musician);
  await song({ ...track, artists: ["Æ".repeat(251)], owner });
  expect(await screen()).not.toContain("notice error");
  expect(await screen({ q: "🎸".repeat(199) })).toContain("No songs found for");
  const sent = (await sandboxRequests(musician)).filter(({ path }) => path.startsWith("/v1/"));
  expect(sent.map(({ status }) => status)).toEqual([200, 200]);
});

test.each([400, 403, 404, 414])(
  "a search that Spotify refuses with %i is refused, not put off",
  async (status) => {
    const { screen, answers } = await submitter(musician);
    await answers("search", { status });
    const page = await screen({ q: "midnight" });
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
  const { screen, calls } = await submitter(musician);
  const page = await screen({ q });
  expect(page).toContain("<h1>Submit “");
  expect(page).toContain(`name="trackId" value="${track.trackId}"`);
  expect(await calls()).toEqual([`/v1/tracks/${track.trackId}`]);
});

test.each([
  [`${spotifyOpenUrl}/playlist/x`, "This link leads to a playlist."],
  [`${spotifyOpenUrl}/album/x`, "This is not a link to a song on Spotify."],
  [`${spotifyShareUrls[0]}/no-such-code`, "We could not follow this short link. Open it"],
  ["https://elsewhere.example/track", "This is not a link to a song on Spotify."],
  ["spotify:track:0000000000000000000000", "Spotify has no such song."],
])("%s is none, and the screen says why", async (q, text) => {
  const page = await (await submitter(musician)).screen({ q });
  expect(page).toContain(text);
  expect(choices(page)).toEqual([]);
});

test("the question says what a song costs and brings, and leads back to what was found", async () => {
  await song();
  const { screen } = await submitter(musician, { credits: freePrice + 2 });
  const page = await screen({ track: track.trackId, q: "midnight" });
  for (const text of [
    `This uses ${freePrice} of your ${freePrice + 2} ratings.`,
    "It gets 5 ratings from other musicians.",
    "Too few songs lately to say how long that takes.",
    'href="/?menu=addownsong&q=midnight"',
    `name="trackId" value="${track.trackId}"`,
  ]) {
    expect(page).toContain(text);
  }
  expect(await rows("submissions")).toMatchObject([{ spent: 0 }]);
});

test("the question about a song submitted before tells of a second listen, and what is still to come", async () => {
  const { user: owner, screen } = await submitter(musician);
  const { id } = await song({ ...track, received: 3, owner });
  const page = await screen({ track: track.trackId });
  expect(page).toContain("This is its second submission: it gets 5 more ratings");
  expect(page).toContain("2 of its 5 ratings are still to come");
  const back = "submitting it again promises 5 more and brings it back into the rotation.";
  expect(page).not.toContain(back);
  await owner.posts(`/songs/${id}/withdraw`);
  expect(await screen({ track: track.trackId })).toContain(back);
});

test.each([
  [{ is_playable: false }, "Spotify does not play this song at the moment"],
  [{ is_playable: false, name: null, artists: null }, "Spotify does not play this song"],
  [{ duration_ms: 3000 }, "This song is too short to be rated"],
])("a song with %j cannot be submitted, which the question says", async (changes, text) => {
  const { screen, answers } = await submitter(musician);
  const body = {
    ...{ id: track.trackId, name: track.title, artists: [], album: { name: "", images: [] } },
    ...{ duration_ms: 180_000, external_urls: { spotify: `${spotifyOpenUrl}/track/x` } },
    ...changes,
  };
  await answers("tracks/:id", { status: 200, body });
  const page = await screen({ track: track.trackId });
  expect(page).toContain(text);
  expect(page).not.toContain('action="/submissions"');
});

test.each(["", "x", "../me", "0".repeat(23)])(
  "%j is no track, and Spotify is not asked",
  async (id) => {
    const { screen, calls } = await submitter(musician);
    expect(await screen({ track: id })).toContain("Spotify has no such song.");
    expect(await calls()).toEqual([]);
  },
);
