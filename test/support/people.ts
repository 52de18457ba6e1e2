/**
 * The cast of the tests inside workerd: somebody, a song, and what somebody does with it. They act through the
 * rooms' own functions at a time that the test sets, or by requests to the built Worker at the clock's.
 */
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { deleteAccount } from "~/account/delete.server";
import { runBatch } from "~/db/gated";
import { loadCarousel } from "~/exchange/carousel/carousel.server";
import { confirmListen, startListen } from "~/exchange/listening/listening.server";
import { loadPass, type PassRequest, passSong } from "~/exchange/pass/pass.server";
import type { Place } from "~/exchange/pool/place";
import { selectPool, toPool } from "~/exchange/pool/pool.server";
import { rateSong } from "~/exchange/rating/rate.server";
import type { Score } from "~/exchange/rating/scale";
import { returnSong, withdrawSong } from "~/exchange/rotation/withdraw-and-return.server";
import { loadAddSong } from "~/exchange/submission/add-song.server";
import { submitSong } from "~/exchange/submission/submit.server";
import { hearsSpotify } from "~/members/hearing";
import type { Viewer } from "~/members/viewer.server";
import { recogniseAccount } from "~/members/what-outlives.server";
import { readConfig } from "~/platform/env";
import type { Track } from "~/sources/song";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import type { SpotCheckQueue } from "~/sources/spotify/spot-check.server";
import {
  baseTime,
  makeListen,
  makeOwnSong,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type OwnTestSong,
  type TestSong,
  type TestUser,
  type UserOptions,
  unique,
} from "./database/factories";
import { db, row, rows } from "./database/rows";
import { makeEmailSession, makeSession, makeViewer, type SessionOptions, viewerOf } from "./login";
import { noteQueued } from "./mail-queue";
import { request } from "./request";
import { servicesAt } from "./services";
import { catalogue, openCatalogue, playing, stubSpotify } from "./spotify/stub";
import { stubBilling } from "./stripe/billing-stub";

const { sessionSecret: secret } = readConfig(env);

/** How long the mail of a rating waits for more of them. */
export const mailWait = 300_000;

/** When a free user's listen that began at `baseTime` unlocks: after 55 seconds and one more. */
export const unlock = baseTime + 56_000;

export type AnySong = TestSong | OwnTestSong;
type StartPlayback = ((trackId: string) => Promise<void>) | null;
type Asked = Parameters<typeof request>[1];
export type Cast<Made extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<Made>>;
export type Someone = Awaited<ReturnType<typeof someone>>;

interface SomeoneOptions extends UserOptions, SessionOptions {
  user?: TestUser;
  /** By e-mail, a login has no connection to Spotify. */
  way?: "spotify" | "email";
  hasPremium?: boolean | null;
  /** Has an open listen of it, begun at `baseTime`. */
  listensTo?: AnySong;
  /** How much later than `baseTime` that listen began. */
  late?: number;
  /** Has heard it to its unlock. */
  heard?: AnySong;
  /** Left it for another one before the unlock. */
  left?: AnySong;
  /** Has a package of these. */
  offered?: AnySong[];
  /** Where the spot checks of what they hear go; by default nowhere. */
  spotChecks?: SpotCheckQueue;
  /** With fewer members, their songs' ratings open once all five are in. By default none are few. */
  sealedBelow?: number;
  /** Where they are. By default that is not looked at. */
  place?: Place | null;
  /** How their songs are drawn; by default a carousel's are drawn in order. */
  random?: () => number;
}

/** A member. Their login begins with what they do first, and stays the same. */
export async function someone(options: SomeoneOptions = {}) {
  const { listensTo, heard, offered, way = "spotify", place = null } = options;
  const user = options.user ?? (await makeUser(options));
  const mailQueue = noteQueued();
  let at = unlock;
  let session: string | null = null;
  let cookie: string | null = null;

  async function viewer(): Promise<Viewer> {
    session ??= (await makeViewer(user, { ...options, way })).session.id;
    return viewerOf(session);
  }
  async function login(): Promise<string> {
    cookie ??= (await (way === "email" ? makeEmailSession(user) : makeSession(user, options)))
      .cookie;
    return cookie;
  }
  function services(spotify: Partial<Spotify> = {}) {
    const made = servicesAt(() => at, {
      ...{ spotify: stubSpotify(spotify), mailQueue, mailWaitMs: mailWait, place },
      ...(options.sealedBelow && { sealedBelow: options.sealedBelow }),
      ...(options.spotChecks && { spotChecks: options.spotChecks }),
    });
    return options.random ? { ...made, random: options.random } : made;
  }
  /** What Spotify says of a song that plays there to its end. */
  const sounding = (song: AnySong): Partial<Spotify> =>
    "trackId" in song ? playing(song) : stubSpotify();

  const does = {
    ...user,
    user,
    viewer,
    login,
    services,
    queued: mailQueue.queued,
    now: () => row("users", { id: user.id }),

    at(time: number) {
      at = time;
      return does;
    },
    waits(ms: number) {
      at += ms;
      return does;
    },

    async rates(song: AnySong, score: Score = 4, spotify = sounding(song)) {
      return rateSong(services(spotify), await viewer(), { songId: song.id, score });
    },
    async starts(
      song: { id: string },
      startPlayback: StartPlayback = null,
      spotify?: Partial<Spotify>,
    ) {
      return startListen(services(spotify), await viewer(), { songId: song.id, startPlayback });
    },
    async confirms(song: AnySong, spotify = sounding(song)) {
      return confirmListen(services(spotify), await viewer(), song.id);
    },
    async passes(
      song: { id: string },
      given: Partial<PassRequest> = {},
      spotify: Partial<Spotify> = catalogue(),
    ) {
      const asked = { songId: song.id, reason: "taste", words: "", ...given } as PassRequest;
      return passSong(services(spotify), await viewer(), asked);
    },
    async mayPass(song: { id: string }) {
      return loadPass(services(), await viewer(), song.id);
    },
    /** Submits a track that Spotify has, or a file; as a mix of a song if `songId` names one. */
    async submits(
      asked: Track | { recordingId: string; songId?: string | null },
      { key = unique("form"), spotify }: { key?: string; spotify?: Partial<Spotify> } = {},
    ) {
      if ("recordingId" in asked) {
        const file = { songId: null, ...asked, requestKey: key };
        return submitSong(services(spotify), await viewer(), file);
      }
      const track = { trackId: asked.trackId, made: "people" as const, requestKey: key };
      return submitSong(services(spotify ?? catalogue(asked)), await viewer(), track);
    },
    /** What the screen shows on which a song is chosen to be submitted. */
    async addSong(
      asked: { term?: string; trackId?: string } = {},
      spotify: Partial<Spotify> = {},
      database = db,
    ) {
      const found = { lookUp: openCatalogue(stubSpotify(spotify)) };
      const given = { db: database, now: () => at, isActivity: false, isSpotifyOpen: true, place };
      const start = { albumId: null, artistId: null, page: 1 };
      const { term = null, trackId = null } = asked;
      const sessionId = (await viewer()).session.id;
      return loadAddSong({ ...given, ...found }, { sessionId, term, trackId, place: start });
    },
    async withdraws(song: { id: string }) {
      return withdrawSong(services(), await viewer(), song.id);
    },
    async resumes(song: { id: string }, spotify?: Partial<Spotify>) {
      return returnSong(services(spotify), await viewer(), song.id);
    },
    /** What the rotation has for them. */
    async pool() {
      const who = await viewer();
      return toPool(await selectPool(db, user.id, { hears: hearsSpotify(who), place }), who, {
        now: at,
      });
    },
    async pooled(): Promise<string[]> {
      return (await does.pool()).eligible.map(({ songId }) => songId);
    },
    /** As a page reads it by itself. With `isActivity` they look at it, which ends their login long before now. */
    async carousel({ ratedSongId = null as string | null, isActivity = false } = {}) {
      const asked = { sessionId: (await viewer()).session.id, ratedSongId };
      const { random = () => 0 } = options;
      const given = { now: at, random, secret, isActivity, isSpotifyOpen: true, place };
      const found = await loadCarousel(db, asked, given);
      if (!found) throw new Error("no carousel");
      return found;
    },
    async offered(): Promise<string[]> {
      return (await does.carousel()).view.songs.map(({ songId }) => songId);
    },
    /** The songs of their package, in order. */
    async packaged(): Promise<string[]> {
      const { id } = await row("packages", { userId: user.id });
      const found = await rows("packageSongs", { packageId: id });
      return found.toSorted((a, b) => a.position - b.position).map(({ songId }) => songId);
    },
    leaves() {
      return deleteAccount({ ...services(), billing: stubBilling(), secret }, user.id);
    },

    /** Requests to the Worker with their login. */
    async gets(path: string, asked: Asked = {}) {
      return request(path, { cookie: await login(), ...asked });
    },
    /** A page's text as a reader has it, without React's marks between texts. */
    async reads(path: string): Promise<string> {
      return (await (await does.gets(path)).text()).replaceAll("<!-- -->", "");
    },
    async posts(path: string, form: Record<string, string> = {}, asked: Asked = {}) {
      return request(path, { cookie: await login(), form, ...asked });
    },
    async sends(path: string, json: Record<string, unknown> = {}, asked: Asked = {}) {
      return request(path, { cookie: await login(), json, ...asked });
    },
  };
  const { left, late = 0 } = options;
  if (left) await makeListen(user, left, { closedAt: baseTime + 10_000 });
  if (listensTo) await makeListen(user, listensTo, { startedAt: baseTime + late });
  if (heard)
    await makeListen(user, heard, { finishedAt: unlock, ...(listensTo && { closedAt: unlock }) });
  if (offered) await makePackage(user, offered);
  return does;
}

interface SongOptions extends NonNullable<Parameters<typeof makeSong>[1]> {
  /** What is special about its owner, or who it is. */
  owner?: SomeoneOptions | Someone;
}

/** A track in rotation, with its owner. */
export async function song({ owner, ...options }: SongOptions = {}) {
  const by = await ownerOf(owner);
  const made = await makeSong(by, options);
  return { ...made, owner: by, now: () => row("songs", { id: made.id }) };
}

interface FileOptions extends NonNullable<Parameters<typeof makeOwnSong>[1]> {
  owner?: SomeoneOptions | Someone;
}

/** An own recording in rotation, with its owner, who came by e-mail unless told otherwise. */
export async function ownSong({ owner = { way: "email" }, ...options }: FileOptions = {}) {
  const by = await ownerOf(owner);
  const made = await makeOwnSong(by, options);
  return { ...made, owner: by, now: () => row("songs", { id: made.id }) };
}

async function ownerOf(owner: SomeoneOptions | Someone = {}): Promise<Someone> {
  return "rates" in owner ? owner : someone(owner);
}

/** Some songs in rotation, each of somebody else. */
export async function songs(count: number, options: SongOptions = {}) {
  const made: Awaited<ReturnType<typeof song>>[] = [];
  for (let n = 0; n < count; n += 1) made.push(await song(options));
  return made;
}

export function idsOf(made: { id: string }[]): string[] {
  return made.map(({ id }) => id);
}

/** Ratings by others, as many as a submission is promised. @returns who gave them. */
export async function fill(song: AnySong, options: Parameters<typeof makeRating>[2] = {}) {
  const raters: Someone[] = [];
  for (let n = 0; n < 5; n += 1) {
    const rater = await someone();
    await makeRating(rater, song, options);
    raters.push(rater);
  }
  return raters;
}

/** Lets a new account be known as the only one that was deleted. */
export async function recognise(again: Someone): Promise<void> {
  const { id } = await row("departures");
  await runBatch(db, recogniseAccount(db, id, sql`${again.id}`));
}
