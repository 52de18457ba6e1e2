import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { dayAndMonth } from "~/platform/dates";
import { readConfig } from "~/platform/env";
import { trackOf } from "../../support/catalogue";
import { skipWaits } from "../../support/clock";
import { makeCommunity } from "../../support/database/community";
import { contents, rowsOf } from "../../support/database/contents";
import { freePrice, makePackage, makeSong, makeUser } from "../../support/database/factories";
import { makeMember } from "../../support/login";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";

beforeEach(skipWaits);

const track = trackOf("silas-whitcombe", 3);
const { trackId } = track;

/** A user with the credits for one song, who is this musician at Spotify. */
async function ready(options: Parameters<typeof makeMember>[0] = {}) {
  const { musician = "silas-whitcombe" } = options;
  await control("reset", { musician });
  const { user, cookie } = await makeMember({ credits: freePrice, musician, ...options });
  const form = { trackId, key: crypto.randomUUID() };
  return {
    user,
    cookie,
    form,
    submit: (asked: object = { form }) => request("/submissions", { cookie, ...asked }),
    pageAt: async (path: string) => (await request(path, { cookie })).text(),
  };
}

function locationOf({ headers }: Response): string {
  return headers.get("Location") ?? "";
}

test("a song submitted by form leads to its confirmation, which only its submitter sees, and sending the form again adds nothing", async () => {
  const { submit, pageAt } = await ready();
  const answer = await submit();
  const location = locationOf(answer);
  expect(answer.status).toBe(303);
  expect(location).toMatch(/^\/\?menu=songaddedtopool&submission=[-\w]{36}$/);
  const again = await submit();
  expect([again.status, locationOf(again)]).toEqual([303, location]);
  const shown = track.title.replaceAll("'", "&#x27;").replaceAll("&", "&amp;");
  expect(await pageAt(location)).toContain(shown);
  expect(await rowsOf("SELECT spent FROM submissions")).toEqual([{ spent: freePrice }]);
  const { cookie } = await ready({ credits: 0 });
  const others = await request(location, { cookie });
  expect([others.status, locationOf(others)]).toEqual([302, "/"]);
});

test("who goes back from the confirmation reads that the song is added, and not that it cannot be", async () => {
  const { submit, pageAt } = await ready();
  for (let n = 0; n < 12; n += 1) await makeSong(await makeUser());
  await submit();
  const page = await pageAt("/?menu=addownsong");
  expect(page).toContain("is added</h1>");
  expect(page).toContain("Rate 6 more songs");
  expect(page).not.toContain("Not yet");
  const { user, cookie } = await makeMember();
  await makeSong(user, { submittedAt: [Date.now() - 1_800_000] });
  const later = await request("/?menu=addownsong", { cookie });
  expect(await later.text()).toContain("<h1>Not yet</h1>");
});

test("another song chosen from the same form is another submission", async () => {
  const { submit, form } = await ready({ credits: 2 * freePrice });
  const answers = [
    await submit(),
    await submit({ form: { ...form, trackId: trackOf("silas-whitcombe", 4).trackId } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect(new Set(answers.map(locationOf)).size).toBe(2);
});

test("a song submitted by script gets a JSON response with Spotify's data", async () => {
  const { submit } = await ready();
  const answer = await submit({ json: { trackId, title: "Not its title" } });
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { ok: true, submissionId: expect.any(String), title: track.title, limited: false },
  ]);
  expect(await rowsOf("SELECT duration_ms, isrc FROM songs")).toEqual([
    { duration_ms: track.durationMs, isrc: track.isrc },
  ]);
});

test("without the credits the response says how many songs are still to be rated", async () => {
  const { user, submit } = await ready({ credits: 0 });
  const owner = await makeUser();
  await makePackage(user, [await makeSong(owner)]);
  await makeSong(owner);
  await makeSong(user);
  const answer = await submit({ json: { trackId } });
  // Once one of the two is rated, the other one is the price.
  expect([answer.status, await answer.json()]).toMatchObject([409, { remaining: 1 }]);
});

test("in the limited case the confirmation is the one for No More Songs", async () => {
  const { submit, pageAt } = await ready({ credits: 0 });
  expect(await pageAt(locationOf(await submit()))).toContain("No More Songs to Rate");
});

const musician = "anouk-vreeswijk";
const unplayable = {
  ...{ id: trackId, name: track.title, artists: [], album: { name: "", images: [] } },
  ...{ duration_ms: 180_000, is_playable: false },
  external_urls: { spotify: `${readConfig(env).spotifyOpenUrl}/track/${trackId}` },
};

test.each([
  { says: 503, fault: { status: 0 } },
  { says: 503, fault: { status: 500 } },
  { says: 503, fault: { status: 429, retryAfter: 3600 } },
  { says: 503, fault: { status: 200, body: "<html>Welcome</html>", contentType: "text/html" } },
  // What lasts is no outage.
  ...[400, 403, 414].map((status) => ({ says: 502, fault: { status } })),
  ...[{}, { name: null, duration_ms: null, artists: null }].map((missing) => ({
    says: 422,
    fault: { status: 200, body: { ...unplayable, ...missing } },
  })),
])(
  "where Spotify answers $fault it is a $says that says so, and changes nothing",
  async ({ says, fault }) => {
    const { submit } = await ready({ musician });
    const tables = ["users", "songs", "submissions", "sessions", "activity_log", "outbox"];
    const before = await contents(...tables);
    await control("fail", { musician, route: "GET /v1/tracks/:id", times: -1, ...fault });
    expect((await submit({ json: { trackId } })).status).toBe(says);
    const page = await submit();
    expect(page.status).toBe(says);
    expect(await page.text()).toContain(
      {
        422: "Spotify does not play this song at the moment",
        502: "Spotify does not show us this song",
        503: "Your song was not submitted. Try again.",
      }[says],
    );
    expect(await contents(...tables)).toEqual(before);
  },
);

test("if Spotify limits requests for a moment, the submission waits and succeeds", async () => {
  const { submit } = await ready({ musician });
  await control("fail", { musician, route: "GET /v1/tracks/:id", status: 429, retryAfter: 1 });
  expect((await submit({ json: { trackId } })).status).toBe(200);
});

test("the carousel knows for half an hour what was submitted, and by when its ratings usually are in", async () => {
  const { submit, pageAt } = await ready();
  const day = 86_400_000;
  await makeCommunity({ promises_kept: 30, half_within_ms: 20 * day, most_within_ms: 21 * day });
  const line = async () => {
    const page = (await pageAt("/")).replaceAll("<!-- -->", "");
    const [, to, words] = /<p class="news-line"><a[^>]* href="([^"]+)">(.*?)<\/a>/.exec(page) ?? [];
    return to ? [to, words?.replace(/<[^>]+>/g, "")] : null;
  };
  expect(await line()).toBeNull();
  await submit();
  const [{ song_id, created_at }] = (await rowsOf(
    "SELECT song_id, created_at FROM submissions",
  )) as [{ song_id: string; created_at: number }];
  expect(await line()).toEqual([
    `/ratings-of-my-songs/${song_id}`,
    `${track.title} is submitted. Usually all five are in by ${dayAndMonth(created_at + 21 * day)}.`,
  ]);
  await env.DB.batch([
    env.DB.prepare("UPDATE submissions SET created_at = created_at - 1800000"),
    env.DB.prepare("UPDATE songs SET owed_since = owed_since - 1800000"),
  ]);
  expect(await line()).toBeNull();
});

test("a song of other artists is asked about, one's own is not", async () => {
  const { pageAt } = await ready({ displayName: track.artists.join() });
  const isAsked = async (id: string) =>
    (await pageAt(`/?menu=addownsong&track=${id}`)).includes("Is this yours?");
  expect(await isAsked(trackId)).toBe(false);
  expect(await isAsked(trackOf("ottoline-farthingale", 1).trackId)).toBe(true);
});
