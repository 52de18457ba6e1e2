/**
 * Every page and action that uses the database, each with its own users and songs. They run for a
 * musician of the sandbox; each test file needs a different one.
 */

import { env } from "cloudflare:workers";
import { createDatabase } from "~/db/client.server";
import { selectSessions, sessionViews } from "~/domain/session/sessions.server";
import * as index from "~/routes/_index/route";
import * as account from "~/routes/account/route";
import * as deletion from "~/routes/account_.delete";
import * as takeout from "~/routes/account_.export";
import * as endSessions from "~/routes/account_.sessions_.end";
import * as callback from "~/routes/auth.spotify.callback";
import * as faq from "~/routes/faq/route";
import * as favorites from "~/routes/favorites";
import * as imprint from "~/routes/imprint/route";
import * as logout from "~/routes/logout";
import * as token from "~/routes/player.token";
import * as shared from "~/routes/r.$token/route";
import * as ratings from "~/routes/ratings-of-my-songs/route";
import * as songResult from "~/routes/ratings-of-my-songs_.$songId/route";
import * as resultFile from "~/routes/ratings-of-my-songs_.$songId[.]csv";
import * as songMail from "~/routes/song-mail";
import * as favorite from "~/routes/songs.$songId.favorite";
import * as listened from "~/routes/songs.$songId.listened";
import * as pass from "~/routes/songs.$songId.pass";
import * as passReason from "~/routes/songs.$songId.pass_.reason/route";
import * as play from "~/routes/songs.$songId.play";
import * as playlist from "~/routes/songs.$songId.playlist/route";
import * as addToPlaylist from "~/routes/songs.$songId.playlist_.add";
import * as rating from "~/routes/songs.$songId.rating";
import * as reasons from "~/routes/songs.$songId.reasons";
import * as resume from "~/routes/songs.$songId.resume";
import * as share from "~/routes/songs.$songId.share";
import * as unfavorite from "~/routes/songs.$songId.unfavorite";
import * as unshare from "~/routes/songs.$songId.unshare";
import * as withdraw from "~/routes/songs.$songId.withdraw";
import * as submissions from "~/routes/submissions";
import * as undo from "~/routes/submissions_.$submissionId.undo";
import { accountIdOf, trackById } from "../../sandbox/catalogue";
import { trackOf } from "../../support/catalogue";
import {
  insert,
  makeListen,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
  type TestUser,
} from "../../support/database/factories";
import { exemptFromInvariants } from "../../support/database/invariant-check";
import { makeSession, type TestSession } from "../../support/login";
import { type Handler, type Measured, measure } from "../../support/measure";
import { control } from "../../support/sandbox";
import { beginLogin, comeBack, cookieOf, decide } from "../session/login-flow";
import { billingActions, billingPages } from "./billing";
import type { Run } from "./run";

const minutes = 60_000;

interface World {
  musician: string;
  viewer: TestUser;
  session: TestSession;
  /** In the viewer's package if there is one. */
  song: TestSong;
  own: TestSong;
}

/** A logged-in user, and a rotation of nine songs of others and one of the user's. */
export async function makeWorld(
  musician: string,
  options: { drawn?: boolean; idle?: number; mayAddToPlaylists?: boolean } = {},
): Promise<World> {
  const viewer = await makeUser();
  const owners = [await makeUser(), await makeUser(), await makeUser(), await makeUser()];
  const song = await makeSong(owners[0] ?? viewer, trackOf("eino-kallas", 4));
  for (const owner of owners) await makeSong(owner);
  for (const owner of owners) await makeSong(owner);
  const own = await makeSong(viewer);
  await makeRating(owners[0] ?? viewer, own);
  if (options.drawn) {
    await makePackage(viewer, [song]);
    // A package from yesterday would be replaced.
    await env.DB.prepare("UPDATE packages SET drawn_at = ?").bind(Date.now()).run();
  }
  const lastSeenAt = Date.now() - (options.idle ?? 0);
  const { mayAddToPlaylists = false } = options;
  const session = await makeSession(viewer, { musician, lastSeenAt, mayAddToPlaylists });
  return { musician, viewer, session, song, own };
}

function page(handler: Handler, path: string, options: Parameters<typeof makeWorld>[1]) {
  return async (musician: string) => {
    const { session } = await makeWorld(musician, options);
    return measure(handler, { path, cookie: session.cookie });
  };
}

/** A song that was played long enough, by the server's clock and by Spotify's. */
async function makePlayed(musician: string, finished: boolean): Promise<World> {
  const world = await makeWorld(musician, { drawn: true });
  const startedAt = Date.now() - 60_000;
  const times = finished ? { startedAt, finishedAt: startedAt + 56_000 } : { startedAt };
  await makeListen(world.viewer, world.song, times);
  const { trackId } = world.song;
  await control("play", { musician, trackId, positionMs: 57_000 });
  return world;
}

/** A post about the song of a world. */
async function post(
  handler: Handler,
  { session, song }: World,
  form: Record<string, string> = {},
): Promise<Measured> {
  const path = "/an/action";
  return measure(handler, { path, cookie: session.cookie, songId: song.id, form });
}

export async function startPlaying(world: World, form: Record<string, string>) {
  await control("openApp", { musician: world.musician });
  return post(play.action, world, form);
}

async function submit(world: World, form: Record<string, string> = {}): Promise<Measured> {
  const { trackId } = trackOf(world.musician);
  return post(submissions.action, world, { trackId, ...form });
}

/** Submits a song, and measures what taking it back costs. */
async function takeBack(world: World, form: Record<string, string> = {}): Promise<Measured> {
  const answer = (await submit(world, form)).answer as Response;
  const { submissionId } = await answer.json<{ submissionId: string }>();
  const { cookie } = world.session;
  return measure(undo.action, { path: "/an/action", cookie, submissionId, form: {} });
}

/** Nothing is left to rate, so that submitting is free. */
async function makeExhausted(musician: string): Promise<World> {
  const world = await makeWorld(musician, { drawn: true });
  // Only the songs are deleted, so their owners' submissions are still counted.
  exemptFromInvariants("submitted_count is the number of submissions");
  const others = "DELETE FROM songs WHERE owner_id <> ? AND id <> ?";
  await env.DB.prepare(others).bind(world.viewer.id, world.song.id).run();
  await makeRating(world.viewer, world.song);
  return world;
}

/** A viewer who has rated the song, and may add to the musician's playlists. */
async function makeRated(musician: string): Promise<World> {
  const world = await makeWorld(musician, { drawn: true, mayAddToPlaylists: true });
  await makeRating(world.viewer, world.song, { score: 4, at: Date.now() });
  return world;
}

/** The handle by which the account page ends the viewer's other session. */
async function otherSessionOf({ viewer, session }: World) {
  const rows = await selectSessions(createDatabase(env.DB), viewer.id, Date.now());
  const views = await sessionViews(rows, session.id);
  return views.find(({ current }) => !current)?.handle ?? "";
}

/** The same world after Spotify has dropped the song's track. */
async function withoutTrack(world: World): Promise<World> {
  const trackId = "0".repeat(22);
  await env.DB.prepare("UPDATE songs SET track_id = ? WHERE id = ?")
    .bind(trackId, world.song.id)
    .run();
  return { ...world, song: { ...world.song, trackId } };
}

/** Publishes something about the viewer's song. @returns the token of its page. */
async function shareOwn({ own }: World): Promise<string> {
  const token = "t".repeat(43);
  const snapshot = '{"received":5,"uploads":[{"number":1,"counts":[1,1,1,2]}]}';
  await insert("shares", { song_id: own.id, token, snapshot, published_at: Date.now() }).run();
  return token;
}

/** The viewer's song has all its ratings. */
async function completeOwn(world: World): Promise<void> {
  for (let n = 0; n < 4; n += 1) await makeRating(await makeUser(), world.own);
}

async function refuseToOthers(song: TestSong, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const row = { song_id: song.id, user_id: (await makeUser()).id, created_at: Date.now() };
    await insert("play_refusals", row).run();
  }
}

async function logIn(musician: string, cookie: string): Promise<Measured> {
  const login = await beginLogin();
  const { href } = await decide(login, musician);
  return measure(callback.loader, { path: href, cookie: `${login.cookie}; ${cookie}` });
}

/** Deletes an account that has an open package, and logs in again. @returns the Cookie header. */
async function makeComeBack(musician: string): Promise<string> {
  const { viewer, ...world } = await makeWorld(musician, { drawn: true });
  await env.DB.prepare("UPDATE users SET spotify_id = ? WHERE id = ?")
    .bind(accountIdOf(musician), viewer.id)
    .run();
  await post(deletion.action, { viewer, ...world });
  const login = await beginLogin();
  return cookieOf(await comeBack(await decide(login, musician), login.cookie), "__Host-session");
}

export const pages: Run[] = [
  {
    name: "the landing page of a visitor",
    outcome: "landing",
    run: () => measure(index.loader, { path: "/" }),
  },
  {
    name: "the landing page of somebody whose session has ended",
    outcome: "landing",
    async run(musician) {
      const { session } = await makeWorld(musician);
      await env.DB.prepare("DELETE FROM sessions").run();
      return measure(index.loader, { path: "/", cookie: session.cookie });
    },
  },
  {
    name: "the carousel that draws its first package",
    outcome: "carousel",
    run: page(index.loader, "/", { idle: 2 * minutes }),
  },
  {
    name: "the carousel with an open package",
    outcome: "carousel",
    run: page(index.loader, "/", { drawn: true }),
  },
  {
    name: "the carousel after an hour away",
    outcome: "carousel",
    run: page(index.loader, "/", { drawn: true, idle: 60 * minutes }),
  },
  {
    name: "the carousel after the last song of a package was rated",
    outcome: "carousel",
    async run(musician) {
      const { viewer, session, song } = await makeWorld(musician, {
        drawn: true,
        idle: 2 * minutes,
      });
      await makeRating(viewer, song);
      return measure(index.loader, { path: `/?rated=${song.id}`, cookie: session.cookie });
    },
  },
  {
    name: "the carousel with nothing to rate, after a while away",
    outcome: "carousel",
    async run(musician) {
      const { session } = await makeExhausted(musician);
      const away = "UPDATE sessions SET last_seen_at = last_seen_at - 120000";
      await env.DB.prepare(away).run();
      return measure(index.loader, { path: "/", cookie: session.cookie });
    },
  },
  {
    name: "the carousel of somebody who deleted the account and came back",
    outcome: "carousel",
    async run(musician) {
      const back = await makeComeBack(musician);
      return measure(index.loader, { path: "/", cookie: back });
    },
  },
  {
    name: "the add-song screen",
    outcome: "addownsong",
    run: page(index.loader, "/?menu=addownsong", { idle: 2 * minutes }),
  },
  {
    name: "a search",
    outcome: "addownsong",
    async run(musician) {
      const { session } = await makeExhausted(musician);
      const path = "/?menu=addownsong&q=song";
      return measure(index.loader, { path, cookie: session.cookie });
    },
  },
  {
    name: "an album",
    outcome: "addownsong",
    async run(musician) {
      const { session } = await makeExhausted(musician);
      const path = `/?menu=addownsong&album=${trackById.get(trackOf(musician).trackId)?.albumId}`;
      return measure(index.loader, { path, cookie: session.cookie });
    },
  },
  {
    name: "the confirmation",
    outcome: "songaddedtopool",
    async run(musician) {
      const { session, own } = await makeWorld(musician, { idle: 2 * minutes });
      const query = env.DB.prepare("SELECT id FROM submissions WHERE song_id = ?").bind(own.id);
      const path = `/?menu=songaddedtopool&submission=${await query.first("id")}`;
      return measure(index.loader, { path, cookie: session.cookie });
    },
  },
  {
    name: "the confirmation when no songs are left",
    outcome: "songaddedtopool",
    async run(musician) {
      const { session, own } = await makeExhausted(musician);
      const query = env.DB.prepare("SELECT id FROM submissions WHERE song_id = ?").bind(own.id);
      const path = `/?menu=songaddedtopool&submission=${await query.first("id")}`;
      return measure(index.loader, { path, cookie: session.cookie });
    },
  },
  {
    name: "the ratings",
    outcome: "page",
    run: page(ratings.loader, "/ratings-of-my-songs", { idle: 2 * minutes }),
  },
  {
    name: "the ratings from a song on, and one that stands elsewhere",
    outcome: "page",
    run: page(ratings.loader, "/ratings-of-my-songs?after=1.song&song=none", { idle: 2 * minutes }),
  },
  {
    name: "the result of a song",
    outcome: "page",
    async run(musician) {
      const { session, own } = await makeWorld(musician, { idle: 2 * minutes });
      const asked = { path: "/", cookie: session.cookie, songId: own.id };
      return measure(songResult.loader, asked);
    },
  },
  {
    name: "the result of a song as a file",
    outcome: "200",
    async run(musician) {
      const { session, own } = await makeWorld(musician, { idle: 2 * minutes });
      return measure(resultFile.loader, { path: "/", cookie: session.cookie, songId: own.id });
    },
  },
  {
    name: "the question why a song cannot be rated",
    outcome: "page",
    async run(musician) {
      const { session, song } = await makeWorld(musician, { drawn: true });
      const path = `/songs/${song.id}/pass/reason`;
      return measure(passReason.loader, { path, songId: song.id, cookie: session.cookie });
    },
  },
  {
    name: "the playlists for a song",
    outcome: "page",
    async run(musician) {
      const { session, song } = await makeRated(musician);
      const path = `/songs/${song.id}/playlist`;
      return measure(playlist.loader, { path, songId: song.id, cookie: session.cookie });
    },
  },
  { name: "the account", outcome: "page", run: page(account.loader, "/account", { drawn: true }) },
  {
    name: "a shared result",
    outcome: "page",
    async run(musician) {
      const token = await shareOwn(await makeWorld(musician));
      return measure(shared.loader, { path: `/r/${token}`, token });
    },
  },
  { name: "the FAQ", outcome: "page", run: page(faq.loader, "/faq", {}) },
  { name: "the imprint", outcome: "page", run: page(imprint.loader, "/imprint", {}) },
  ...billingPages,
];

export const actions: Run[] = [
  ...billingActions,
  {
    name: "playing on the active device",
    outcome: "200",
    run: async (musician) => startPlaying(await makeWorld(musician, { drawn: true }), {}),
  },
  {
    name: "playing in the browser",
    outcome: "200",
    run: async (musician) =>
      startPlaying(await makeWorld(musician, { drawn: true }), { deviceId: "browser" }),
  },
  {
    name: "confirming a listen",
    outcome: "200",
    run: async (musician) => post(listened.action, await makePlayed(musician, false)),
  },
  {
    name: "confirming a listen that Spotify contradicts",
    outcome: "409",
    async run(musician) {
      const world = await makePlayed(musician, false);
      await control("closeApp", { musician });
      return post(listened.action, world);
    },
  },
  {
    name: "confirming a listen that a spot check found silent",
    outcome: "409",
    async run(musician) {
      const world = await makePlayed(musician, false);
      const open = "finished_at IS NULL";
      await env.DB.prepare(`UPDATE listens SET recheck_at = started_at WHERE ${open}`).run();
      const measured = await post(listened.action, world);
      // The listen continues from the song's present position.
      const waiting = "SELECT id FROM listens WHERE recheck_at IS NOT NULL";
      if (await env.DB.prepare(waiting).first()) throw new Error("nothing was recorded");
      return measured;
    },
  },
  {
    name: "confirming a listen as the third in a row for whom Spotify does not play the song",
    outcome: "409",
    async run(musician) {
      const world = await makePlayed(musician, false);
      await control("closeApp", { musician });
      await refuseToOthers(world.song, 2);
      return post(listened.action, await withoutTrack(world));
    },
  },
  {
    name: "playing such a song again",
    outcome: "409",
    async run(musician) {
      const world = await makePlayed(musician, false);
      await refuseToOthers(world.song, 2);
      return startPlaying(await withoutTrack(world), {});
    },
  },
  {
    name: "bringing a song back",
    outcome: "200",
    async run(musician) {
      const world = await makeWorld(musician);
      await env.DB.prepare("UPDATE songs SET resting_since = 1, track_id = ? WHERE id = ?")
        .bind(trackOf(musician).trackId, world.own.id)
        .run();
      return post(resume.action, { ...world, song: world.own });
    },
  },
  {
    name: "bringing back a song that was withdrawn",
    outcome: "200",
    async run(musician) {
      const world = await makeWorld(musician);
      await env.DB.prepare("UPDATE songs SET resting_since = 1, withdrawn = 1 WHERE id = ?")
        .bind(world.own.id)
        .run();
      return post(resume.action, { ...world, song: world.own });
    },
  },
  {
    name: "withdrawing a song",
    outcome: "200",
    async run(musician) {
      const world = await makeWorld(musician);
      return post(withdraw.action, { ...world, song: world.own });
    },
  },
  {
    name: "sharing a result",
    outcome: "200",
    async run(musician) {
      const world = await makeWorld(musician);
      await completeOwn(world);
      return post(share.action, { ...world, song: world.own });
    },
  },
  {
    name: "taking a shared result back",
    outcome: "200",
    async run(musician) {
      const world = await makeWorld(musician);
      await shareOwn(world);
      return post(unshare.action, { ...world, song: world.own });
    },
  },
  {
    name: "rating after a confirmed listen",
    outcome: "200",
    run: async (musician) => post(rating.action, await makePlayed(musician, true), { score: "4" }),
  },
  {
    name: "rating that confirms the listen",
    outcome: "200",
    run: async (musician) => post(rating.action, await makePlayed(musician, false), { score: "1" }),
  },
  {
    name: "passing on a song that was played",
    outcome: "200",
    run: async (musician) =>
      post(pass.action, await makePlayed(musician, false), { reason: "report", words: "No music" }),
  },
  {
    name: "passing on a song as the third in a row for whom Spotify does not play it",
    outcome: "200",
    async run(musician) {
      const world = await makeWorld(musician, { drawn: true });
      await refuseToOthers(world.song, 2);
      return post(pass.action, await withoutTrack(world), { reason: "unplayable" });
    },
  },
  {
    name: "passing on a song twice",
    outcome: "200",
    async run(musician) {
      const world = await makeWorld(musician, { drawn: true });
      await post(pass.action, world, { reason: "known" });
      return post(pass.action, world, { reason: "known" });
    },
  },
  {
    name: "putting a song into a playlist that is yet to be made",
    outcome: "200",
    async run(musician) {
      await control("reset", { musician });
      return post(addToPlaylist.action, await makeRated(musician), { playlist: "finds" });
    },
  },
  {
    name: "putting a song into a playlist after the permission was taken back",
    outcome: "200",
    async run(musician) {
      const world = await makeRated(musician);
      await control("withdraw", {
        musician,
        scope: "playlist-modify-private playlist-read-private",
      });
      return post(addToPlaylist.action, world, { playlist: "finds" });
    },
  },
  {
    name: "saying why",
    outcome: "200",
    async run(musician) {
      const world = await makeWorld(musician, { drawn: true });
      await makeRating(world.viewer, world.song, { at: Date.now() });
      return post(reasons.action, world, { liked: "Groove", improve: "Sound" });
    },
  },
  {
    name: "adding to the favorites",
    outcome: "200",
    run: async (musician) => post(favorite.action, await makeWorld(musician, { drawn: true })),
  },
  {
    name: "taking a song back from the favorites",
    outcome: "200",
    async run(musician) {
      const world = await makeWorld(musician, { drawn: true });
      await post(favorite.action, world);
      return post(unfavorite.action, world);
    },
  },
  {
    name: "asking which songs are saved",
    outcome: "200",
    run: page(favorites.loader, "/favorites", { drawn: true }),
  },
  {
    name: "asking for a mail when there are songs again",
    outcome: "200",
    run: async (musician) =>
      post(songMail.action, await makeExhausted(musician), { wanted: "true" }),
  },
  {
    name: "taking that back",
    outcome: "200",
    run: async (musician) =>
      post(songMail.action, await makeExhausted(musician), { wanted: "false" }),
  },
  {
    name: "submitting",
    outcome: "200",
    run: async (musician) => submit(await makeExhausted(musician)),
  },
  {
    name: "submitting a song again",
    outcome: "200",
    async run(musician) {
      const world = await makeExhausted(musician);
      await submit(world);
      // The next free submission is possible a day later.
      await env.DB.batch([
        env.DB.prepare("UPDATE submissions SET created_at = created_at - 86400000"),
        env.DB.prepare("UPDATE songs SET owed_since = owed_since - 86400000"),
      ]);
      return submit(world);
    },
  },
  {
    name: "sending a submission's form twice",
    outcome: "200",
    async run(musician) {
      const world = await makeExhausted(musician);
      const key = crypto.randomUUID();
      await submit(world, { key });
      return submit(world, { key });
    },
  },
  {
    name: "taking a submission back",
    outcome: "200",
    run: async (musician) => takeBack(await makeExhausted(musician)),
  },
  {
    name: "sending the form of a submission that was taken back",
    outcome: "409",
    async run(musician) {
      const world = await makeExhausted(musician);
      const key = crypto.randomUUID();
      await takeBack(world, { key });
      return submit(world, { key });
    },
  },
  { name: "logging in", outcome: "303", run: (musician) => logIn(musician, "") },
  {
    name: "logging in again",
    outcome: "303",
    run: async (musician) => logIn(musician, (await makeWorld(musician)).session.cookie),
  },
  {
    name: "logging out",
    outcome: "303",
    run: async (musician) => post(logout.action, await makeWorld(musician)),
  },
  {
    name: "logging out everywhere",
    outcome: "200",
    run: async (musician) => post(endSessions.action, await makeWorld(musician)),
  },
  {
    name: "ending another login",
    outcome: "200",
    async run(musician) {
      const world = await makeWorld(musician);
      await makeSession(world.viewer, { musician });
      return post(endSessions.action, world, { session: await otherSessionOf(world) });
    },
  },
  {
    name: "exporting the account",
    outcome: "200",
    run: async (musician) => post(takeout.action, await makePlayed(musician, true)),
  },
  {
    name: "deleting the account",
    outcome: "200",
    run: async (musician) => post(deletion.action, await makePlayed(musician, true)),
  },
  {
    name: "deleting an account of which nothing is kept",
    outcome: "200",
    run: async (musician) => post(deletion.action, await makeWorld(musician)),
  },
  {
    name: "requesting the player's token",
    outcome: "200",
    run: page(token.loader, "/player/token", {}),
  },
  {
    name: "requesting the player's token when it has to be renewed",
    outcome: "200",
    async run(musician) {
      const { session } = await makeWorld(musician);
      await env.DB.prepare("UPDATE sessions SET token_expires_at = 0").run();
      return measure(token.loader, { path: "/player/token", cookie: session.cookie });
    },
  },
];
