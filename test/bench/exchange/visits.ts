/** What a simulated musician does in a visit, through the app's own functions. */
import type { DatabaseSync } from "node:sqlite";
import type { FoundTrack } from "~/adapters/spotify/spotify";
import type { Database } from "~/db/client.server";
import { maxScore } from "~/db/rules";
import { deleteAccount } from "~/domain/account/delete.server";
import { loadCarousel } from "~/domain/carousel/carousel.server";
import type { CarouselSong } from "~/domain/carousel/view";
import { askForSongMail } from "~/domain/empty-pool/song-wish.server";
import { startListen } from "~/domain/listening/listening.server";
import { passSong } from "~/domain/pass/pass.server";
import type { PassReason } from "~/domain/pass/pass-reasons";
import { giveReasons } from "~/domain/rating/give-reasons.server";
import { rateSong } from "~/domain/rating/rate.server";
import { isScore } from "~/domain/rating/scale";
import { isRefusal } from "~/domain/refusal";
import { resumeSong } from "~/domain/rotation/resume.server";
import { withdrawSong } from "~/domain/rotation/withdraw.server";
import { createLoginSession } from "~/domain/session/login.server";
import { loadViewer, type Viewer } from "~/domain/session/viewer.server";
import { submitSong } from "~/domain/submission/submit.server";
import { undoSubmission } from "~/domain/submission/undo.server";
import { noteQueued } from "../../support/mail-queue";
import { stubSpotify } from "../../support/spotify/stub";
import { stubBilling } from "../../support/stripe/billing-stub";
import type { Musician } from "./musicians";
import type { Tally } from "./tally";

const second = 1000;
const tokenKey = new Uint8Array(32);
/** The bits of one reason that was liked. */
const likedVocals = 1;

/** What all musicians share. */
export interface Exchange {
  database: DatabaseSync;
  db: Database;
  secret: string;
  random(): number;
  /** Epoch milliseconds of the simulation. */
  now(): number;
  tally: Tally;
  /** By track id. */
  catalogue: Map<string, FoundTrack & { playsAbroad: boolean }>;
}

/** Somebody who visits. A visit yields the milliseconds that pass until it goes on. */
export interface Visitor {
  musician: Musician;
  isBusy: boolean;
  isGone: boolean;
  visit(): AsyncGenerator<number, void>;
  leave(): Promise<void>;
}

export function createVisitor(exchange: Exchange, musician: Musician): Visitor {
  const { db, database, secret, random, now, tally, catalogue } = exchange;
  const chance = (share: number) => random() < share;
  let sessionId = "";
  let logins = 0;
  let submitted = 0;
  /** What plays on the musician's device. */
  let playing = "";

  const spotify = stubSpotify({
    async track(trackId) {
      const track = catalogue.get(trackId);
      if (!track) return null;
      return { ...track, playable: track.playable && (track.playsAbroad || !musician.abroad) };
    },
    async playback() {
      const track = catalogue.get(playing);
      const progressMs = track?.durationMs ?? 0;
      const isrc = track?.isrc ?? null;
      const heard = { trackIds: [playing], isrc, track: null };
      return { playing: true, progressMs, ...heard, device: null };
    },
  });
  const mailQueue = noteQueued();
  const spotChecks = { enqueue: () => undefined };
  const services = { db, spotify, mailQueue, spotChecks, secret, now, random };

  async function logIn() {
    logins += 1;
    const before = sessionId || null;
    sessionId = `${musician.account}-${logins}`;
    const profile = {
      id: musician.account,
      displayName: musician.account,
      imageUrl: null,
      email: `${musician.account}@musicians.example`,
      hasPremium: true,
    };
    await createLoginSession(
      db,
      {
        profile,
        accessToken: "access",
        refreshToken: "refresh",
        expiresIn: 3600,
        mayAddToPlaylists: false,
      },
      {
        id: sessionId,
        clientId: "a",
        tokenKey,
        secret,
        device: null,
        replaces: before,
        now: now(),
      },
    );
    if (musician.premium) {
      const subscribe = `INSERT OR IGNORE INTO subscriptions
        (user_id, status, tier, subscription_id, customer_id, updated_at)
        SELECT id, 'active', 'premium', 'sub_' || id, 'cus_' || id, ? FROM users WHERE spotify_id = ?`;
      database.prepare(subscribe).run(now(), musician.account);
    }
  }

  async function look() {
    const load = () =>
      loadCarousel(
        db,
        { sessionId, ratedSongId: null },
        { now: now(), random, secret, isActivity: true },
      );
    const carousel = await load();
    if (carousel) return carousel;
    await logIn();
    const again = await load();
    if (!again) throw new Error("a login without a viewer");
    return again;
  }

  async function viewer(): Promise<Viewer> {
    const found = await loadViewer(db, sessionId, { now: now(), isActivity: true });
    if (!found) throw new Error("a session without a viewer");
    return found;
  }

  async function pass(songId: string, reason: PassReason): Promise<boolean> {
    const words = reason === "report" ? "This is not music." : "";
    const passed = await passSong(services, await viewer(), { songId, reason, words });
    tally.passed(isRefusal(passed) ? "refused" : reason);
    return !isRefusal(passed);
  }

  function wayOut(): PassReason {
    return chance(0.5) ? "taste" : chance(0.9) ? "known" : "report";
  }

  /** Plays a song, and rates it if it plays. @returns whether it was rated. */
  async function* hear(song: CarouselSong): AsyncGenerator<number, boolean> {
    const { songId, trackId } = song;
    const play = async () => startListen(services, await viewer(), { songId, startPlayback: null });
    const started = await play();
    if (isRefusal(started)) return false;
    if (!(await spotify.track(trackId))?.playable) {
      yield 15 * second;
      // Pressed again, because nothing was heard; then Spotify is asked.
      await play();
      tally.unplayable += 1;
      if (chance(0.5)) await pass(songId, "unplayable");
      return false;
    }
    playing = trackId;
    const isLeft = chance(0.04);
    yield (started.heard ? 2 : isLeft ? 20 : started.requiredSeconds + 3) * second;
    if (isLeft) return false;
    const score = 1 + Math.floor(random() * maxScore);
    if (!isScore(score)) throw new Error("not on the scale");
    const before = tally.promiseOf(songId);
    const rating = { ...services, mailWaitMs: 300 * second };
    const rated = await rateSong(rating, await viewer(), { songId, score });
    if (isRefusal(rated)) return false;
    tally.rated(songId, before);
    if (chance(0.3)) await giveReasons(services, await viewer(), { songId, bits: likedVocals });
    return true;
  }

  function newTrack(): FoundTrack {
    const number = submitted % musician.repertoire;
    const isShared = chance(0.03);
    const trackId = `${musician.account}-${String(number).padStart(4, "0")}`.padEnd(22, "0");
    const known = catalogue.get(trackId);
    if (known) return known;
    const guest = `musician-${String(Math.floor(random() * 60)).padStart(4, "0")}`;
    const names = isShared ? [musician.account, guest] : [musician.account];
    const track = {
      trackId,
      title: `Song ${number}`,
      artists: names,
      artistIds: names.map((name) => `artist-${name}`),
      album: "An album",
      artUrl: null,
      smallerArt: {},
      durationMs: 180 * second,
      isrc: `isrc-${trackId}`,
      spotifyUrl: `https://open.spotify.com/track/${trackId}`,
      playable: true,
      relinked: false,
      playsAbroad: !chance(0.04),
    };
    catalogue.set(trackId, track);
    return track;
  }

  async function* submit(): AsyncGenerator<number, void> {
    const most = musician.floods ? 10 : chance(0.2) ? 2 : 1;
    for (let count = 0; count < most; count += 1) {
      if (submitted >= musician.repertoire && !musician.repeats) return;
      const { trackId } = newTrack();
      const request = { trackId, requestKey: `${musician.account}-${submitted}-${now()}` };
      const made = await submitSong(services, await viewer(), request);
      if (isRefusal(made)) return;
      submitted += 1;
      yield 20 * second;
      if (!musician.floods && chance(0.04)) {
        await undoSubmission(services, await viewer(), made.submissionId);
      }
    }
  }

  /** Takes a song out of the rotation now and then, and brings those back that rest. */
  async function lookAfterOwn({ userId }: Viewer) {
    const own = `SELECT id, resting_since AS resting, withdrawn FROM songs
      WHERE owner_id = ? AND owed > 0`;
    type Own = { id: string; resting: number | null; withdrawn: number };
    for (const song of database.prepare(own).all(userId) as unknown as Own[]) {
      if (song.resting === null) {
        if (chance(0.003)) await withdrawSong(services, await viewer(), song.id);
      } else if (chance(0.4)) {
        const back = await resumeSong(services, await viewer(), song.id);
        if (!isRefusal(back)) tally.resumed(song.id);
      }
    }
  }

  async function* visit(): AsyncGenerator<number, void> {
    const skipped = new Set<string>();
    let rated = 0;
    let carousel = await look();
    const isEmpty = carousel.view.state !== "songs";
    while (musician.passes === "every one") {
      const song = carousel.view.songs.find((one) => one.rated === null);
      if (!song || !(await pass(song.songId, wayOut()))) break;
      yield 5 * second;
      carousel = await look();
    }
    while (rated < musician.patience) {
      const song = carousel.view.songs.find(
        (one) => one.rated === null && !skipped.has(one.songId),
      );
      if (!song) break;
      yield 8 * second;
      const isPassed = musician.passes === "now and then" && chance(0.06);
      if (isPassed && (await pass(song.songId, wayOut()))) rated += 0;
      else if (yield* hear(song)) rated += 1;
      else skipped.add(song.songId);
      carousel = await look();
    }
    tally.visited({ isEmpty, rated });
    if (carousel.view.state !== "songs" && chance(0.5)) {
      await askForSongMail(db, await viewer(), { secret, now: now() });
    }
    if (carousel.view.eligibility.eligible) yield* submit();
    await lookAfterOwn(carousel.viewer);
  }

  const self: Visitor = {
    musician,
    isBusy: false,
    isGone: false,
    async *visit() {
      if (self.isBusy || self.isGone) return;
      self.isBusy = true;
      yield* visit();
      self.isBusy = false;
    },
    async leave() {
      const { userId } = await viewer();
      const left = await deleteAccount(
        { ...services, billing: stubBilling({ customer: async () => null }) },
        userId,
      );
      if (isRefusal(left)) throw new Error(left.error);
      sessionId = "";
      self.isGone = true;
      tally.left += 1;
    },
  };
  return self;
}
