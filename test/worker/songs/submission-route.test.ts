import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { utcDay } from "~/components/format/date";
import { readConfig } from "~/platform/env";
import { trackOf } from "../../support/catalogue";
import { skipWaits } from "../../support/clock";
import { makeCommunity } from "../../support/database/community";
import { contents, rowsOf } from "../../support/database/contents";
import { freePrice, makeSong, makeUser } from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";

beforeEach(skipWaits);

const track = trackOf("silas-whitcombe", 3);
const tables = ["users", "songs", "submissions", "sessions", "activity_log", "outbox"];

/** A user with the credits for one song, who is this musician at Spotify. */
async function ready(musician = "silas-whitcombe", credits = freePrice) {
  const user = await makeUser({ credits });
  await control("reset", { musician });
  return makeSession(user, { musician });
}

test("a song submitted by form leads to its confirmation, and sending the form again adds nothing", async () => {
  const { cookie } = await ready();
  const form = { trackId: track.trackId, key: crypto.randomUUID() };
  const answer = await request("/submissions", { cookie, form });
  const location = answer.headers.get("Location") ?? "";
  expect(answer.status).toBe(303);
  expect(location).toMatch(/^\/\?menu=songaddedtopool&submission=[-\w]{36}$/);
  const again = await request("/submissions", { cookie, form });
  expect([again.status, again.headers.get("Location")]).toEqual([303, location]);
  const page = await (await request(location, { cookie })).text();
  expect(page).toContain(track.title.replaceAll("'", "&#x27;").replaceAll("&", "&amp;"));
  expect(await rowsOf("SELECT spent FROM submissions WHERE spent > 0")).toEqual([
    { spent: freePrice },
  ]);
});

test("who goes back from the confirmation reads that the song is added, and not that it cannot be", async () => {
  const { cookie } = await ready();
  for (let n = 0; n < 12; n += 1) await makeSong(await makeUser());
  const form = { trackId: track.trackId, key: crypto.randomUUID() };
  await request("/submissions", { cookie, form });
  const page = await (await request("/?menu=addownsong", { cookie })).text();
  expect(page).toContain("is added</h1>");
  expect(page).toContain("Please rate 6 more songs");
  expect(page).not.toContain("Not yet");
  const owner = await makeUser();
  await makeSong(owner, { submittedAt: [Date.now() - 1_800_000] });
  const { cookie: later } = await makeSession(owner);
  const obstacle = await (await request("/?menu=addownsong", { cookie: later })).text();
  expect(obstacle).toContain("<h1>Not yet</h1>");
});

test("another song chosen from the same form is another submission", async () => {
  const { cookie } = await ready("silas-whitcombe", 2 * freePrice);
  const key = crypto.randomUUID();
  const locations = new Set<string | null>();
  for (const { trackId } of [track, trackOf("silas-whitcombe", 4)]) {
    const answer = await request("/submissions", { cookie, form: { trackId, key } });
    expect(answer.status).toBe(303);
    locations.add(answer.headers.get("Location"));
  }
  expect(locations.size).toBe(2);
});

test("a song submitted by script gets a JSON response with Spotify's data", async () => {
  const { cookie } = await ready();
  const json = { trackId: track.trackId, title: "Not its title" };
  const answer = await request("/submissions", { cookie, json });
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { ok: true, submissionId: expect.any(String), title: track.title, limited: false },
  ]);
  expect(
    await rowsOf("SELECT duration_ms, isrc FROM songs WHERE track_id = ?", track.trackId),
  ).toEqual([{ duration_ms: track.durationMs, isrc: track.isrc }]);
});

test("in the limited case the confirmation is the one for No More Songs", async () => {
  const { cookie } = await ready("silas-whitcombe", 0);
  const form = { trackId: track.trackId, key: crypto.randomUUID() };
  const answer = await request("/submissions", { cookie, form });
  const page = await request(answer.headers.get("Location") ?? "", { cookie });
  expect(await page.text()).toContain("No More Songs to Rate");
});

test("only the submitter sees a confirmation", async () => {
  const { cookie } = await ready();
  const stranger = await ready("silas-whitcombe", 0);
  const form = { trackId: track.trackId, key: crypto.randomUUID() };
  const location = (await request("/submissions", { cookie, form })).headers.get("Location") ?? "";
  const answer = await request(location, { cookie: stranger.cookie });
  expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/"]);
});

test.each([{}, { name: null, duration_ms: null, artists: null }])(
  "a track that Spotify cannot play is a 422 that says so, also where it says no more (%j)",
  async (missing) => {
    const musician = "anouk-vreeswijk";
    const { cookie } = await ready(musician);
    const spotify = `${readConfig(env).spotifyOpenUrl}/track/${track.trackId}`;
    const body = {
      ...{ id: track.trackId, name: track.title, artists: [], album: { name: "", images: [] } },
      ...{ duration_ms: 180_000, is_playable: false, external_urls: { spotify } },
      ...missing,
    };
    await control("fail", { musician, route: "GET /v1/tracks/:id", times: -1, status: 200, body });
    const page = await request("/submissions", { cookie, form: { trackId: track.trackId } });
    expect(page.status).toBe(422);
    expect(await page.text()).toContain("Spotify does not play this song at the moment");
  },
);

test.each([
  { status: 0 },
  { status: 500 },
  { status: 429, retryAfter: 3600 },
  { status: 200, body: "<html>Welcome</html>", contentType: "text/html" },
])("where Spotify answers %j it is a 503 that changes nothing", async (fault) => {
  const musician = "anouk-vreeswijk";
  const { cookie } = await ready(musician);
  const before = await contents(...tables);
  await control("fail", { musician, route: "GET /v1/tracks/:id", times: -1, ...fault });
  const json = { trackId: track.trackId };
  expect((await request("/submissions", { cookie, json })).status).toBe(503);
  const page = await request("/submissions", { cookie, form: json });
  expect(page.status).toBe(503);
  expect(await page.text()).toContain("Your song was not submitted; please try again.");
  expect(await contents(...tables)).toEqual(before);
});

test.each([400, 403, 414])(
  "where Spotify refuses with %i it is no outage, and changes nothing",
  async (status) => {
    const musician = "anouk-vreeswijk";
    const { cookie } = await ready(musician);
    const before = await contents(...tables);
    await control("fail", { musician, route: "GET /v1/tracks/:id", times: -1, status });
    const page = await request("/submissions", { cookie, form: { trackId: track.trackId } });
    expect(page.status).toBe(502);
    expect(await page.text()).toContain("Spotify does not show us this song");
    expect(await contents(...tables)).toEqual(before);
  },
);

test("if Spotify limits requests for a moment, the submission waits and succeeds", async () => {
  const musician = "anouk-vreeswijk";
  const { cookie } = await ready(musician);
  await control("fail", { musician, route: "GET /v1/tracks/:id", status: 429, retryAfter: 1 });
  const json = { trackId: track.trackId };
  expect((await request("/submissions", { cookie, json })).status).toBe(200);
});

test("the carousel knows for half an hour what was submitted, and by when its ratings usually are in", async () => {
  const { cookie } = await ready();
  const day = 86_400_000;
  await makeCommunity({ promises_kept: 30, half_within_ms: 20 * day, most_within_ms: 21 * day });
  const line = async () => {
    const page = await (await request("/", { cookie })).text();
    const [, to, words] =
      /<p class="news-line"><a[^>]* href="([^"]+)">(.*?)<\/a>/.exec(
        page.replaceAll("<!-- -->", ""),
      ) ?? [];
    return to ? [to, words?.replace(/<[^>]+>/g, "")] : null;
  };
  expect(await line()).toBeNull();
  const form = { trackId: track.trackId, key: crypto.randomUUID() };
  await request("/submissions", { cookie, form });
  const [row] = await rowsOf("SELECT song_id, created_at FROM submissions");
  const { song_id, created_at } = row as { song_id: string; created_at: number };
  expect(await line()).toEqual([
    `/ratings-of-my-songs/${song_id}`,
    `${track.title} is submitted. Usually all five are in by ${utcDay(created_at + 21 * day)}.`,
  ]);
  await env.DB.batch([
    env.DB.prepare("UPDATE submissions SET created_at = created_at - 1800000"),
    env.DB.prepare("UPDATE songs SET owed_since = owed_since - 1800000"),
  ]);
  expect(await line()).toBeNull();
});

test("a song of other artists is asked about, one's own is not", async () => {
  const asked = async ({ cookie }: { cookie: string }, trackId: string) =>
    (await (await request(`/?menu=addownsong&track=${trackId}`, { cookie })).text()).includes(
      "Is this yours?",
    );
  const user = await makeUser({ credits: freePrice, displayName: track.artists.join() });
  await control("reset", { musician: "silas-whitcombe" });
  const artist = await makeSession(user, { musician: "silas-whitcombe" });
  expect(await asked(artist, track.trackId)).toBe(false);
  const other = trackOf("ottoline-farthingale", 1);
  expect(await asked(artist, other.trackId)).toBe(true);
});
