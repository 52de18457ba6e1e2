/** Every action that uses the database, as pages.ts has the pages. */
import { env } from "cloudflare:workers";
import { createDatabase } from "~/db/client.server";
import { selectSessions, sessionViews } from "~/domain/session/sessions.server";
import * as deletion from "~/routes/account_.delete";
import * as takeout from "~/routes/account_.export";
import * as endSessions from "~/routes/account_.sessions_.end";
import * as callback from "~/routes/auth.spotify.callback";
import * as favorites from "~/routes/favorites";
import * as logout from "~/routes/logout";
import * as token from "~/routes/player.token";
import * as songMail from "~/routes/song-mail";
import * as favorite from "~/routes/songs.$songId.favorite";
import * as listened from "~/routes/songs.$songId.listened";
import * as pass from "~/routes/songs.$songId.pass";
import * as play from "~/routes/songs.$songId.play";
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
import { trackOf } from "../../support/catalogue";
import {
  insert,
  makeListen,
  makeRating,
  makeUser,
  type TestSong,
} from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { type Measured, measure } from "../../support/measure";
import { control } from "../../support/sandbox";
import { beginLogin, decide } from "../session/login-flow";
import { billingActions } from "./billing";
import type { Run } from "./run";
import { makeExhausted, makeRated, makeWorld, page, post, shareOwn, type World } from "./world";

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
