/**
 * Members who cannot hear songs from Spotify: every page and action works for them or refuses kindly, and none
 * asks Spotify.
 */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { notConnectedTexts } from "~/members/spotify-gap";
import { readConfig } from "~/platform/env";
import type { Action } from "../../support/actions/action";
import { actions, pages } from "../../support/actions/actions";
import { makeListener, makeRater } from "../../support/actions/world";
import { gives, hides, leads, says, shows, tells } from "../../support/answers";
import { skipWaits } from "../../support/clock";
import { freePrice, makeRating } from "../../support/database/factories";
import { change } from "../../support/database/rows";
import { type Answer, amid } from "../../support/faults/run";
import { pages as paths } from "../../support/pages";
import { ownSong, type Someone, someone } from "../../support/people";
import { browser, withoutSpotify } from "../../support/people/logins";

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

const takePremium = () => change("sessions", {}, { hasSpotifyPremium: false });

async function carryOut(action: Action, change: () => Promise<void>, caller: "person" | "program") {
  skipWaits();
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

function expectNothingDead(page: string): void {
  expect(page).not.toMatch(plays);
  expect(page).not.toMatch(
    /favorite"|href="[^"]*\/playlist"|name="q"|name="trackId"|spotify-player\.js/,
  );
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
  ...["a submission", "submitting a song again", "handing in a song"],
  "bringing a song back that Spotify did not play",
  ...["the player's token", "the player's token, renewed shortly before its expiry"],
  "the player's token, renewed after its expiry",
  "the player's token, renewed because Spotify has refused it",
  "asking for Spotify's permission to change playlists",
];

/** These say themselves what becomes of an account without Spotify. */
const others = /^coming back from Spotify's consent|^the removal of an address$/;

test.each(pages)("without a connection to Spotify: $name", async (page) => {
  const { answer, asked } = await carryOut(page, disconnect, "person");
  expect([asked, answer?.status]).toEqual([[], page.status ?? 200]);
  if (!answer) return;
  expectNothingDead(answer.text);
  expectNoSpotifyHost(answer);
});

test.each(actions.filter(({ name }) => !others.test(name)))(
  "without a connection to Spotify: $name",
  async (action) => {
    const { answer, asked } = await carryOut(action, disconnect, "program");
    expect(asked).toEqual([]);
    const isRefused = needConnection.includes(action.name);
    expect(answer?.status).toBe(isRefused ? 409 : (action.status ?? 200));
    if (isRefused) expect(JSON.parse(answer?.text ?? "{}").error).toBe(notConnectedTexts.never);
  },
);

test.each(paths)(
  "without a connection to Spotify %s answers as it does to everybody",
  async (path) => {
    const who = await someone({ musician });
    const { status } = await who.gets(path);
    await disconnect();
    const after = await who.gets(path);
    expect(after.status).toBe(status);
    expectNothingDead(await after.text());
  },
);

test.each(pages)("without Spotify Premium: $name", async (page) => {
  const { answer } = await carryOut(page, takePremium, "person");
  expect(answer?.status).toBe(page.status ?? 200);
  if (!answer) return;
  expect(answer.text).not.toMatch(plays);
  expectNoSpotifyHost(answer);
});

test.each(actions)("without Spotify Premium: $name", async (action) => {
  const { answer } = await carryOut(action, takePremium, "program");
  // The browser's player would not start, so Spotify is asked to, and says what is missing.
  const byBrowser = action.name.startsWith("PLAY SONG, started by the browser");
  expect(answer?.status).toBe(byBrowser ? 409 : (action.status ?? 200));
});

async function unconnected(options: Parameters<typeof someone>[0] = {}): Promise<Someone> {
  const who = await someone({ musician, ...options });
  await who.login();
  await disconnect();
  return who;
}

test("a form of somebody unconnected is refused on a page that connects Spotify and leads back", async () => {
  const { cookie, song } = await makeRater(musician);
  await disconnect();
  const it = browser({ cookies: [cookie] });
  const path = `/songs/${song.id}/playlist`;
  const answer = await it.posts(`${path}/add`, { playlist: "finds" });
  expect(answer.status).toBe(409);
  // The form leads on to Spotify, which the policy has to allow.
  expect(answer.headers.get("Content-Security-Policy")).toContain(
    `form-action 'self' ${new URL(config.spotifyAccountsUrl).origin}`,
  );
  const page = await answer.text();
  expect(page).toContain(notConnectedTexts.never);
  expect(page).toContain('action="/account/spotify"');
  expect(page).toContain(`name="next" value="${path}"`);
  // So is one for the permission to add to playlists.
  const asked = it.posts("/playlists/permission", { next: path });
  await says(asked, 409, `name="next" value="${path}"`);
});

test("a form of somebody unconnected offers no connection where Spotify is not open", async () => {
  const it = browser({
    bindings: withoutSpotify,
    cookies: [await (await unconnected({ credits: freePrice })).login()],
  });
  const refused = await it.posts("/submissions", { trackId: "0".repeat(22) });
  expect(refused.status).toBe(409);
  const page = await refused.text();
  expect(page).toContain(notConnectedTexts.closed);
  expect(page).not.toContain("Connect Spotify");
  for (const path of ["/", "/?menu=addownsong", "/rated"]) {
    await gives(it.gets(path), 200);
    await hides(it, path, ">Connect Spotify<");
  }
});

test("the add-song screen offers to connect, and leads back to the song that was asked for", async () => {
  const path = `/?menu=addownsong&track=${"0".repeat(22)}`;
  const who = await unconnected({ credits: freePrice });
  const next = `name="next" value="${path.replace("&", "&amp;")}"`;
  await shows(who, path, "Connect Spotify to submit a song from Spotify.", next);
});

test("the carousel offers Premium also where nothing is left to rate, but not to who could hear nothing", async () => {
  const who = await someone({ musician });
  const offer = "With Fivefold Premium you could rate after only";
  await shows(who, "/", offer, "Upgrade to Premium");
  await takePremium();
  await hides(who, "/", offer);
  await disconnect();
  const page = await shows(who, "/", "Connect Spotify to play songs from Spotify.");
  expect(page).not.toContain(offer);
  expect(page).not.toContain("/subscribe");
});

test("an own recording plays without Spotify, is no favorite there, and Premium helps with it", async () => {
  const who = await unconnected();
  const { id } = await ownSong();
  const offer = "With Fivefold Premium you could rate after only";
  const page = await shows(who, "/", `action="/songs/${id}/play"`, offer);
  expect(page).not.toContain("Images and info come from");
  expect(offers(page, /Connect Spotify<\/button>/)).toBe(1);
  await leads(who.posts(`/songs/${id}/play`), "/");
  expect(await who.reads("/")).not.toMatch(/favorite"/);
});

test("an own recording is offered to no playlist and no favorites of those who have Spotify", async () => {
  const who = await someone({ musician });
  await makeRating(who, await ownSong());
  for (const path of ["/", "/rated"]) {
    expect(await who.reads(path)).not.toMatch(/favorite"|href="[^"]*\/playlist"/);
  }
});

test("when Spotify ends the connection of a session by e-mail, what was asked for is refused, and the session goes on and says so", async () => {
  const who = await someone({ ownEmail: "mine@mail.example", musician, expiresIn: -10 });
  await who.login();
  await change("sessions", {}, { way: "email" });
  const revoked = JSON.stringify({ error: "invalid_grant" });
  const { value } = await amid(
    ({ kind, what }) =>
      kind === "outside" && what.includes("/api/token")
        ? () => new Response(revoked, { status: 400 })
        : "fine",
    (around) => who.gets("/player/token", { bindings: around }),
  );
  await tells(value as Response, 409, { error: notConnectedTexts.ended });
  const page = await shows(who, "/", "Spotify has ended its connection to Fivefold.");
  expectNothingDead(page);
  await tells(who.gets("/player/token"), 409, { error: notConnectedTexts.never });
});

test("who has heard a song before the connection ended can rate it still", async () => {
  const { cookie, song } = await makeListener(musician, { listen: "confirmed" });
  await disconnect();
  const rated = browser({ cookies: [cookie] }).posts(`/songs/${song.id}/rating`, { score: "3" });
  await leads(rated, `/?rated=${song.id}`);
});
