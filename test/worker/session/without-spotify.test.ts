/**
 * Members who cannot hear songs from Spotify: every page and action works for them or refuses kindly, and none
 * asks Spotify.
 */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { notConnectedTexts } from "~/members/spotify-gap";
import { readConfig } from "~/platform/env";
import type { Action } from "../../support/actions/action";
import { actions, pages } from "../../support/actions/actions";
import { makeListener, makeMember, makeRater } from "../../support/actions/world";
import { skipWaits } from "../../support/clock";
import { emptyDatabase } from "../../support/database/contents";
import { freePrice, makeOwnSong, makeRating, makeUser } from "../../support/database/factories";
import { type Answer, amid } from "../../support/faults/run";
import { makeSession } from "../../support/login";
import { pages as paths } from "../../support/pages";
import { request } from "../../support/request";

const musician = "jaroslav-hruba";
const config = readConfig(env);
const [operator = ""] = config.operators;

/** All sessions from now on are by e-mail, without a connection, of accounts that never had Spotify. */
async function disconnect(): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      `UPDATE users SET own_email = coalesce(own_email, id || '@mail.example'),
         spotify_id = iif(spotify_id = ?, spotify_id, NULL)
       WHERE id IN (SELECT user_id FROM sessions)`,
    ).bind(operator),
    env.DB.prepare(
      `INSERT INTO mailed_proofs (id, kind, asked_by, address, created_at, expires_at, used_at)
         SELECT 'confirmed ' || id, 'confirmation', id, own_email, 1, 3, 2 FROM users
         WHERE id IN (SELECT user_id FROM sessions)`,
    ),
    env.DB.prepare(
      `UPDATE sessions SET way = 'email', client_id = NULL, access_token = NULL,
         refresh_token = NULL, token_expires_at = NULL, may_add_to_playlists = 0`,
    ),
  ]);
}

async function takePremium(): Promise<void> {
  await env.DB.prepare("UPDATE sessions SET has_spotify_premium = 0").run();
}

async function carryOut(action: Action, change: () => Promise<void>, caller: "person" | "program") {
  skipWaits();
  await emptyDatabase();
  const { act } = await action.prepare(musician);
  await change();
  const { value, steps } = await amid(
    () => "fine",
    (around) => act(around, caller),
  );
  const origins = [config.spotifyApiUrl, config.spotifyAccountsUrl];
  const asked = steps.filter(
    ({ kind, what }) => kind === "outside" && origins.some((origin) => what.includes(origin)),
  );
  return { answer: value, asked: asked.map(({ what }) => what) };
}

function offers(page: string, what: RegExp): number {
  return page.match(new RegExp(what, "g"))?.length ?? 0;
}

const plays = /action="[^"]*\/play"/;
const dead = [
  plays,
  /favorite"/,
  /href="[^"]*\/playlist"/,
  /name="q"/,
  /name="trackId"/,
  /spotify-player\.js/,
];

function expectNothingDead(page: string): void {
  for (const what of dead) expect(page).not.toMatch(what);
  expect(offers(page, /Connect Spotify<\/button>/)).toBeLessThanOrEqual(1);
  expect(page).not.toContain("Spotify has ended your login");
}

function expectNoSpotifyHost({ headers }: Answer): void {
  const hosts = [config.spotifySdkUrl, config.spotifyApiUrl].map((url) => new URL(url).origin);
  const policy = headers.get("Content-Security-Policy") ?? "";
  const sources = policy.split("; ").filter((part) => /^(script|connect|frame)-src/.test(part));
  for (const host of hosts) {
    expect(sources.join()).not.toContain(host);
    expect(headers.get("Link") ?? "").not.toContain(host);
  }
}

/** What needs Spotify. All else does what it does for everybody. */
const needConnection = [
  ...["PLAY SONG, started by the server", "PLAY SONG, started by the browser, after another song"],
  "PLAY SONG, as the third in a row for whom Spotify does not play it",
  ...["confirming the listen", "confirming a listen that Spotify contradicts"],
  "confirming a listen of which Spotify tells nothing",
  "confirming a listen as the third in a row for whom Spotify does not play the song",
  "a rating that also confirms the listen",
  "putting a song into a playlist that is yet to be made",
  "putting a song into a playlist after the permission was taken back",
  ...["a favorite", "a favorite taken back"],
  ...["a submission", "submitting a song again"],
  "bringing a song back that Spotify did not play",
  ...["the player's token", "the player's token, renewed shortly before its expiry"],
  "the player's token, renewed after its expiry",
  "the player's token, renewed because Spotify has refused it",
];

/** These say themselves what becomes of an account without Spotify. */
const others = /^coming back from Spotify's consent|^the removal of an address$/;

describe("without a connection to Spotify", () => {
  test.each(pages)("$name", async (page) => {
    const { answer, asked } = await carryOut(page, disconnect, "person");
    expect(asked).toEqual([]);
    expect(answer?.status).toBe(page.status ?? 200);
    if (!answer) return;
    expectNothingDead(answer.text);
    expectNoSpotifyHost(answer);
  });

  test.each(actions.filter(({ name }) => !others.test(name)))("$name", async (action) => {
    const { answer, asked } = await carryOut(action, disconnect, "program");
    expect(asked).toEqual([]);
    if (!needConnection.includes(action.name)) {
      expect(answer?.status).toBe(action.status ?? 200);
      return;
    }
    expect(answer?.status).toBe(409);
    expect(JSON.parse(answer?.text ?? "{}").error).toBe(notConnectedTexts.never);
  });

  test.each(paths)("%s answers as it does to everybody", async (path) => {
    await emptyDatabase();
    const { cookie } = await makeMember(musician);
    const before = await request(path, { cookie });
    await disconnect();
    const after = await request(path, { cookie });
    expect(after.status).toBe(before.status);
    expectNothingDead(await after.text());
  });
});

describe("without Spotify Premium", () => {
  test.each(pages)("$name", async (page) => {
    const { answer } = await carryOut(page, takePremium, "person");
    expect(answer?.status).toBe(page.status ?? 200);
    if (!answer) return;
    expect(answer.text).not.toMatch(plays);
    expectNoSpotifyHost(answer);
  });

  test.each(actions)("$name", async (action) => {
    const { answer } = await carryOut(action, takePremium, "program");
    // The browser's player would not start, so Spotify is asked to, and says what is missing.
    const byBrowser = action.name.startsWith("PLAY SONG, started by the browser");
    expect(answer?.status).toBe(byBrowser ? 409 : (action.status ?? 200));
  });
});

async function unconnected(options: Parameters<typeof makeMember>[1] = {}) {
  await emptyDatabase();
  const member = await makeMember(musician, options);
  await disconnect();
  return member;
}

const keys = ["CLIENT_ID", "CLIENT_SECRET", "CLIENT_ID_2", "CLIENT_SECRET_2"];
const withoutKeys = {
  ...env,
  ...Object.fromEntries(keys.map((key) => [`SPOTIFY_${key}`, ""])),
};

describe("a form of somebody unconnected", () => {
  test("is refused on a page that connects Spotify and leads back", async () => {
    await emptyDatabase();
    const { cookie, song } = await makeRater(musician);
    await disconnect();
    const path = `/songs/${song.id}/playlist`;
    const answer = await request(`${path}/add`, { cookie, form: { playlist: "finds" } });
    expect(answer.status).toBe(409);
    // The form leads on to Spotify, which the policy has to allow.
    expect(answer.headers.get("Content-Security-Policy")).toContain(
      `form-action 'self' ${new URL(config.spotifyAccountsUrl).origin}`,
    );
    const page = await answer.text();
    expect(page).toContain(notConnectedTexts.never);
    expect(page).toContain('action="/account/spotify"');
    expect(page).toContain(`name="next" value="${path}"`);
  });

  test("for the permission to add to playlists is refused in the same way", async () => {
    const { cookie } = await unconnected();
    const next = "/songs/one/playlist";
    const answer = await request("/playlists/permission", { cookie, form: { next } });
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain(`name="next" value="${next}"`);
  });

  test("offers no connection where Spotify is not open", async () => {
    const { cookie } = await unconnected({ credits: freePrice });
    const form = { trackId: "0".repeat(22) };
    const refused = await request("/submissions", { cookie, form, bindings: withoutKeys });
    expect(refused.status).toBe(409);
    const page = await refused.text();
    expect(page).toContain(notConnectedTexts.closed);
    expect(page).not.toContain("Connect Spotify");
    for (const path of ["/", "/?menu=addownsong", "/rated"]) {
      const shown = await request(path, { cookie, bindings: withoutKeys });
      expect(shown.status).toBe(200);
      expect(await shown.text()).not.toContain("Connect Spotify");
    }
  });
});

test("the add-song screen offers to connect, and leads back to the song that was asked for", async () => {
  const { cookie } = await unconnected({ credits: freePrice });
  const path = `/?menu=addownsong&track=${"0".repeat(22)}`;
  const page = await (await request(path, { cookie })).text();
  expect(page).toContain("Connect Spotify to submit a song from Spotify.");
  expect(page).toContain(`name="next" value="${path.replace("&", "&amp;")}"`);
});

test("the carousel sells no Premium to who has nothing to rate, with Spotify's songs or without", async () => {
  await emptyDatabase();
  const { cookie } = await makeMember(musician);
  const offer = "With Fivefold Premium you could rate after only";
  const shown = async () => (await request("/", { cookie })).text();
  expect(await shown()).not.toContain(offer);
  await takePremium();
  expect(await shown()).not.toContain(offer);
  await disconnect();
  const page = await shown();
  expect(page).not.toContain(offer);
  expect(page).not.toContain("/subscribe");
  expect(page).toContain("Connect Spotify to play songs from Spotify.");
});

test("an own recording plays without Spotify, is no favorite there, and Premium helps with it", async () => {
  const { cookie } = await unconnected();
  const { id } = await makeOwnSong(await makeUser());
  const shown = async (path: string) => (await request(path, { cookie })).text();
  const page = await shown("/");
  expect(page).not.toContain("Images and info come from");
  expect(page).toContain(`action="/songs/${id}/play"`);
  expect(page).toContain("With Fivefold Premium you could rate after only");
  expect(offers(page, /Connect Spotify<\/button>/)).toBe(1);
  const played = await request(`/songs/${id}/play`, { cookie, form: {} });
  expect([played.status, played.headers.get("Location")]).toEqual([303, "/"]);
  expect(await shown("/")).not.toMatch(/favorite"/);
});

test("an own recording is offered to no playlist and no favorites of those who have Spotify", async () => {
  await emptyDatabase();
  const { cookie, user } = await makeMember(musician);
  await makeRating(user, await makeOwnSong(await makeUser()));
  for (const path of ["/", "/rated"]) {
    const page = await (await request(path, { cookie })).text();
    expect(page).not.toMatch(/favorite"|href="[^"]*\/playlist"/);
  }
});

describe("when Spotify ends the connection of a session by e-mail", () => {
  async function ended() {
    await emptyDatabase();
    const user = await makeUser({ ownEmail: "mine@mail.example" });
    const { cookie } = await makeSession(user, { musician, expiresIn: -10 });
    await env.DB.prepare("UPDATE sessions SET way = 'email'").run();
    const revoked = JSON.stringify({ error: "invalid_grant" });
    const { value } = await amid(
      ({ kind, what }) =>
        kind === "outside" && what.includes("/api/token")
          ? () => new Response(revoked, { status: 400 })
          : "fine",
      async (around) => {
        const token = await request("/player/token", { cookie, bindings: around });
        return { status: token.status, text: await token.text() };
      },
    );
    return { cookie, answer: value };
  }

  test("what was asked for is refused, and the session goes on and says so", async () => {
    const { cookie, answer } = await ended();
    expect(answer?.status).toBe(409);
    expect(JSON.parse(answer?.text ?? "{}").error).toBe(notConnectedTexts.ended);
    const carousel = await request("/", { cookie });
    expect(carousel.status).toBe(200);
    const page = await carousel.text();
    expect(page).toContain("Spotify has ended its connection to Fivefold.");
    expectNothingDead(page);
    const again = await request("/player/token", { cookie });
    expect(await again.json()).toEqual({ error: notConnectedTexts.never });
  });
});

test("who has heard a song before the connection ended can rate it still", async () => {
  await emptyDatabase();
  const { cookie, song } = await makeListener(musician, { listen: "confirmed" });
  await disconnect();
  const answer = await request(`/songs/${song.id}/rating`, { cookie, form: { score: "3" } });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/?rated=${song.id}`]);
});
