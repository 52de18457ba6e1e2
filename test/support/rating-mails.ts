/** Somebody whose songs are rated, what they choose to be mailed of that, and what they get. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { rateSong } from "~/exchange/rating/rate.server";
import type { Score } from "~/exchange/rating/scale";
import type { RatingMailRhythm } from "~/mailing/email-preferences";
import { savePreferences } from "~/mailing/email-preferences.server";
import { requeueMails } from "~/outbox/mail-queue.server";
import { readConfig } from "~/platform/env";
import {
  makeListen,
  makeSong,
  makeUser,
  type TestSong,
  type UserOptions,
} from "./database/factories";
import { db, rows } from "./database/rows";
import { makeViewer } from "./login";
import { noteQueued } from "./mail-queue";
import { addressOf, consume, mailsTo } from "./mails";
import { servicesAt } from "./services";
import { playing } from "./spotify/stub";

const { sessionSecret: secret } = readConfig(env);
const minute = 60_000;
const hour = 60 * minute;
export const waitMs = 5 * minute;

/** Mails go to a queue that notes them. */
export async function makeRatedOwner(options: UserOptions = {}) {
  const user = await makeUser(options);
  const mailQueue = noteQueued();
  const { queued } = mailQueue;

  const does = {
    ...user,
    queued,
    song: (given: Parameters<typeof makeSong>[1] = {}) => makeSong(user, given),
    /** A rating by somebody new, as the route writes it. */
    async rated(song: TestSong, at: number, score: Score = 3): Promise<void> {
      const rater = await makeUser();
      await makeListen(rater, song, { startedAt: at - 2 * minute });
      const services = servicesAt(at, { spotify: playing(song), mailQueue, mailWaitMs: waitMs });
      const viewer = await makeViewer(rater);
      expect(await rateSong(services, viewer, { songId: song.id, score })).toEqual({ ok: true });
    },
    /** Some ratings, each some time after the last one. @returns the time of the last one. */
    async ratedTimes(song: TestSong, count: number, from: number, step = hour): Promise<number> {
      for (let n = 0; n < count; n += 1) await does.rated(song, from + n * step);
      return from + (count - 1) * step;
    },
    async prefers(preferences: Parameters<typeof savePreferences>[2], now: number): Promise<void> {
      const viewer = { userId: user.id, address: addressOf(user) };
      const services = { db, mailQueue, secret, now };
      expect(await savePreferences(services, viewer, preferences)).toBe(null);
    },
    chooses(ratingMailRhythm: RatingMailRhythm, now: number): Promise<void> {
      return does.prefers({ ratingMailRhythm }, now);
    },
    async consumes(now: number): Promise<void> {
      const ids = queued.map(({ outboxId }) => outboxId);
      await consume(ids, { now: () => now });
    },
    mails: () => mailsTo(addressOf(user)),
    /** They have got mails with these subjects. */
    async got(...subjects: string[]): Promise<void> {
      expect((await does.mails()).map(({ subject }) => subject)).toEqual(subjects);
    },
    async dueTimes(): Promise<number[]> {
      const pending = await rows("outbox", { userId: user.id, state: "pending" });
      return [...new Set(pending.map(({ notBefore }) => notBefore))].sort((a, b) => a - b);
    },
    /** What is owed to them is due at these times. */
    async isDue(...times: number[]): Promise<void> {
      expect(await does.dueTimes()).toEqual(times);
    },
  };
  return does;
}

/** The cron job, with a consumer after it. @returns the ids queued. */
export async function sweep(at: number): Promise<string[]> {
  const ids: string[] = [];
  const queue = {
    async sendBatch(messages: Iterable<MessageSendRequest<{ outboxId: string }>>) {
      ids.push(...[...messages].map(({ body }) => body.outboxId));
    },
  };
  await requeueMails(db, queue as unknown as typeof env.OUTBOX_QUEUE, at);
  await consume(ids, { now: () => at });
  return ids;
}
