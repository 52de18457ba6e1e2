import { env, exports } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { makePackage, makeSong, makeUser, unique } from "../../support/database/factories";
import { makeMember, makeSession } from "../../support/login";
import { request } from "../../support/request";

/** A logged-in user with a song to rate, a song of their own, and a song that was not drawn. */
async function world() {
  const viewer = await makeUser();
  const owner = await makeUser();
  const song = await makeSong(owner);
  const own = await makeSong(viewer);
  const undrawn = await makeSong(owner);
  await makePackage(viewer, [song]);
  const { cookie } = await makeSession(viewer, { musician: "imogen-fairweather" });
  return { song, own, undrawn, cookie };
}

/** Posts a raw body. */
function post(path: string, cookie: string, type: string, body: BodyInit, accept = "text/html") {
  const headers = { Cookie: cookie, "Content-Type": type, Accept: accept };
  return exports.default.fetch(
    new Request(new URL(path, env.APP_ORIGIN), { method: "POST", headers, body }),
  );
}

const urlEncoded = "application/x-www-form-urlencoded";
const actions = [
  "/songs/x/play",
  "/songs/x/rating",
  "/songs/x/pass",
  "/songs/x/playlist/add",
  "/submissions",
  "/checkout-session",
  "/checkout-session/lookup",
];

describe("an invalid body", () => {
  const large = "x".repeat(17_000);
  test.each([
    { name: "a large form", status: 413, type: urlEncoded, body: `score=${large}` },
    { name: "large JSON", status: 413, type: "application/json", body: `{"score":"${large}"}` },
    { name: "truncated JSON", type: "application/json", body: '{"score":' },
    { name: "a truncated form", type: "multipart/form-data; boundary=b", body: "--b\r\nContent-" },
    { name: "parts without a boundary", type: "multipart/form-data", body: "score=1" },
    { name: "plain text", type: "text/plain", body: "score=1" },
    { name: "an unknown type", type: "x", body: "score=1" },
  ])("($name) is refused, as JSON and as a page", async ({ type, body, status = 400 }) => {
    const { cookie } = await world();
    for (const path of actions) {
      const json = await post(path, cookie, type, body, "application/json");
      expect([path, json.status, await json.json()]).toEqual([
        path,
        status,
        { error: expect.stringMatching(/^The request /) },
      ]);
      const page = await post(path, cookie, type, body);
      expect([path, page.status]).toEqual([path, status]);
      expect(await page.text()).toContain("<h1>That did not work</h1>");
    }
  });

  test.each([
    "null",
    "[]",
    "7",
    '"text"',
    "{}",
    '{"score":{"deep":[1]}}',
    '{"__proto__":{"score":3}}',
  ])("but JSON (%s) has no fields, and is refused as a form without them", async (body) => {
    const { cookie, song } = await world();
    for (const path of [`/songs/${song.id}/rating`, "/submissions"]) {
      const response = await post(path, cookie, "application/json", body, "application/json");
      expect([path, response.status]).toEqual([path, 422]);
    }
  });

  test("is not read to the end if it is too large, whatever length it declares", async () => {
    const { cookie } = await world();
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 100) controller.close();
        else controller.enqueue(new Uint8Array(1024));
      },
    });
    const response = await post("/submissions", cookie, urlEncoded, endless);
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(60);
  });

  test("is not read to the end if it comes one byte at a time", async () => {
    let sent = 0;
    const trickle = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 1_000) controller.close();
        else controller.enqueue(new Uint8Array(1));
      },
    });
    const path = "/checkout-session/lookup";
    const response = await post(path, "", urlEncoded, trickle, "application/json");
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(100);
  });
});

describe("programs and people get the same refusals:", () => {
  interface Refused {
    name: string;
    status: number;
    path(songs: Awaited<ReturnType<typeof world>>): string;
    fields: Record<string, string>;
  }
  const trackId = "0123456789ABCDEFGHIJKL";
  test.each<Refused>([
    {
      name: "a song that does not exist",
      status: 404,
      path: () => "/songs/none/rating",
      fields: { score: "3" },
    },
    {
      name: "playing a song that does not exist",
      status: 404,
      path: () => "/songs/none/play",
      fields: {},
    },
    {
      name: "the user's own song",
      status: 403,
      path: ({ own }) => `/songs/${own.id}/rating`,
      fields: { score: "3" },
    },
    {
      name: "playing the user's own song",
      status: 403,
      path: ({ own }) => `/songs/${own.id}/play`,
      fields: {},
    },
    {
      name: "playing a song that was not drawn",
      status: 409,
      path: ({ undrawn }) => `/songs/${undrawn.id}/play`,
      fields: {},
    },
    {
      name: "a song that was not played",
      status: 409,
      path: ({ song }) => `/songs/${song.id}/rating`,
      fields: { score: "3" },
    },
    {
      name: "confirming a song that was not played",
      status: 409,
      path: ({ song }) => `/songs/${song.id}/listened`,
      fields: {},
    },
    {
      name: "adding a song that does not exist to the favorites",
      status: 404,
      path: () => "/songs/none/favorite",
      fields: {},
    },
    {
      name: "taking a song that was not drawn back from the favorites",
      status: 409,
      path: ({ undrawn }) => `/songs/${undrawn.id}/unfavorite`,
      fields: {},
    },
    {
      name: "adding a song that was not drawn to the favorites",
      status: 409,
      path: ({ undrawn }) => `/songs/${undrawn.id}/favorite`,
      fields: {},
    },
    ...["", "0", "5", "-1", "1.5", "03", "three", " 3"].map((score) => ({
      name: `the score '${score}'`,
      status: 422,
      path: ({ song }: Awaited<ReturnType<typeof world>>) => `/songs/${song.id}/rating`,
      fields: { score },
    })),
    ...["", "short", `${trackId}0`, "0123456789ABCDEFGHIJK/"].map((id) => ({
      name: `the track '${id}'`,
      status: 422,
      path: () => "/submissions",
      fields: { trackId: id },
    })),
    {
      name: "an invalid form key",
      status: 422,
      path: () => "/submissions",
      fields: { trackId, key: "1" },
    },
    {
      name: "a submission without the credits",
      status: 409,
      path: () => "/submissions",
      fields: { trackId },
    },
  ])("$name is $status", async ({ status, path, fields }) => {
    const there = await world();
    const { cookie } = there;
    const json = await request(path(there), { cookie, json: fields });
    const answer = await json.json<{ error: string }>();
    expect([json.status, answer.error.length > 10]).toEqual([status, true]);

    const response = await request(path(there), { cookie, form: fields });
    const page = await response.text();
    expect(response.status).toBe(status);
    expect(response.headers.get("Content-Type")).toContain("text/html");
    expect(page.replaceAll("&#x27;", "'")).toContain(`<p class="lead">${answer.error}</p>`);
    expect(page).toMatch(/<a class="button"[^>]* href="\/">/);
    expect(page).not.toMatch(/<script|Error \d/);
  });

  test("a missing credit says how many songs are still to be rated", async () => {
    const { cookie } = await world();
    const response = await request("/submissions", { cookie, json: { trackId } });
    // Two songs are left to rate. Once one of them is rated, the other one is the price.
    expect(await response.json()).toMatchObject({ remaining: 1 });
  });
});

describe("an action without a login", () => {
  test.each([
    "/songs/x/play",
    "/songs/x/listened",
    "/songs/x/rating",
    "/songs/x/reasons",
    "/songs/x/favorite",
    "/songs/x/unfavorite",
    "/songs/x/pass",
    "/songs/x/playlist/add",
    "/songs/x/withdraw",
    "/songs/x/resume",
    "/songs/x/share",
    "/songs/x/unshare",
    "/song-mail",
    "/submissions",
    "/email-preference",
    "/account/email",
    "/account/email/remove",
    "/account/export",
    "/account/delete",
    "/account/sessions/end",
    "/checkout-session",
    "/portal-session",
    "/playlists/permission",
  ])("%s is 401 to programs and leads people to a page that says so", async (path) => {
    const json = await request(path, { json: { score: 3, trackId: unique("track") } });
    expect([json.status, await json.json()]).toEqual([
      401,
      { error: "Please log in with Spotify first" },
    ]);
    const form = await request(path, { form: { score: "3" } });
    expect([form.status, form.headers.get("Location")]).toEqual([303, "/?ended"]);
  });

  test("that has ended leads people to the landing page, which says so", async () => {
    const { cookie } = await makeMember();
    await env.DB.prepare("DELETE FROM sessions").run();
    const form = await request("/submissions", { cookie, form: {} });
    expect([form.status, form.headers.get("Location")]).toEqual([303, "/?ended"]);
    const page = await (await request("/?ended", { cookie })).text();
    expect(page).toContain("Your login has ended. Please log in again.");
  });
});
