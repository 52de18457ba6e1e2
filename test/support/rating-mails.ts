import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { createDatabase } from "~/db/client.server";
import { rateSong } from "~/exchange/rating/rate.server";
import type { Score } from "~/exchange/rating/scale";
import type { RatingMailRhythm } from "~/mailing/email-preferences";
import { savePreferences } from "~/mailing/email-preferences.server";
import { requeueMails } from "~/outbox/mail-queue.server";
import { readConfig } from "~/platform/env";
import { rowsOf } from "./database/contents";
import { makeListen, makeUser, type TestSong, type TestUser } from "./database/factories";
import { makeViewer } from "./login";
import { noteQueued } from "./mail-queue";
import { addressOf, consume, mailsTo } from "./mails";
import { servicesAt } from "./services";
import { playing } from "./spotify/stub";

const db = createDatabase(env.DB);
const { sessionSecret: secret } = readConfig(env);
const minute = 60_000;
export const waitMs = 5 * minute;

/** Ratings whose mails go to a queue that notes them, and their owner's choices. */
export function makeRatingMails() {
  const mailQueue = noteQueued();
  /** A rating by somebody new, as the route writes it. */
  async function rated(song: TestSong, at: number, score: Score = 3): Promise<void> {
    const rater = await makeUser();
    await makeListen(rater, song, { startedAt: at - 2 * minute });
    const viewer = await makeViewer(rater);
    const services = servicesAt(at, { spotify: playing(song), mailQueue, mailWaitMs: waitMs });
    expect(await rateSong(services, viewer, { songId: song.id, score })).toEqual({ ok: true });
  }

  async function choose(user: TestUser, ratingMailRhythm: RatingMailRhythm, now: number) {
    const viewer = { userId: user.id, address: addressOf(user) };
    expect(
      await savePreferences({ db, mailQueue, secret, now }, viewer, { ratingMailRhythm }),
    ).toBe(null);
  }

  return { mailQueue, rated, choose };
}

/** The cron job every ten minutes in some time, each with a consumer after it. @returns the ids queued. */
export async function sweepAll(from: number, to: number): Promise<string[]> {
  const all: string[] = [];
  for (let at = from; at <= to; at += 10 * minute) {
    const ids: string[] = [];
    const queue = {
      async sendBatch(messages: Iterable<MessageSendRequest<{ outboxId: string }>>) {
        ids.push(...[...messages].map(({ body }) => body.outboxId));
        return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
      },
    };
    await requeueMails(db, queue as unknown as typeof env.OUTBOX_QUEUE, at);
    await consume(ids, { now: () => at });
    all.push(...ids);
  }
  return all;
}

export async function subjects(user: TestUser): Promise<string[]> {
  return (await mailsTo(addressOf(user))).map(({ subject }) => subject);
}

export async function dueTimes(user: TestUser): Promise<unknown[]> {
  const rows = await rowsOf(
    "SELECT DISTINCT not_before AS at FROM outbox WHERE user_id = ? AND state = 'pending' ORDER BY at",
    user.id,
  );
  return rows.map((row) => (row as { at: number }).at);
}
