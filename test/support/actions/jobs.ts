/** What queues and cron jobs make the Worker do. */
import { env } from "cloudflare:workers";
import {
  insert,
  makeListen,
  makeOwnSong,
  makeRating,
  makeSong,
  makeUser,
  unique,
} from "../database/factories";
import type { Surroundings } from "../faults/run";
import { makeSession } from "../login";
import { addressOf, deliver, letTimePass, mailsTo, owe, oweRating, oweSubmission } from "../mails";
import { deliverSpotCheck } from "../spot-checks";
import { daily, everyTenMinutes, runJobs } from "../worker";
import type { Action } from "./action";
import { makeCheckout, record } from "./billing";
import { firstRow } from "./world";

const minute = 60_000;

async function runOften(around: Surroundings): Promise<undefined> {
  await runJobs(everyTenMinutes, around);
}

/** Leaves the job that looks at old songs, which runs at the same time, with nothing to ask of Spotify. */
async function readSongsJustNow(): Promise<void> {
  await env.DB.prepare("UPDATE songs SET fetched_at = ?").bind(Date.now()).run();
}

export const jobs: Action[] = [
  {
    name: "mails sent by the queue's consumer",
    asksOutside: true,
    async prepare() {
      const owner = await makeUser();
      const song = await makeSong(owner);
      const ids = [await oweRating(song), await oweRating(song), await oweSubmission(song)];
      const send = async (around: object) => {
        await deliver(ids, { ...around });
        return undefined;
      };
      return {
        act: send,
        async again(around) {
          await letTimePass();
          return send(around);
        },
        state: async () => ({
          ...(await firstRow("SELECT count(*) AS sent FROM outbox WHERE state = 'sent'")),
          mails: (await mailsTo(addressOf(owner))).length,
        }),
      };
    },
    done: { sent: 3, mails: 2 },
  },
  {
    name: "the handling of dead letters",
    async prepare() {
      const id = await owe((await makeUser()).id, "premium_ended");
      return {
        async act(around) {
          await deliver([id], { ...around }, "fivefold-outbox-dead");
          return undefined;
        },
      };
    },
  },
  {
    name: "a spot check",
    async prepare(musician) {
      const listener = await makeUser();
      const listenId = await makeListen(listener, await makeSong(await makeUser()));
      await makeSession(listener, { musician });
      return {
        async act(around) {
          await deliverSpotCheck({ listenId, after: null }, { ...around });
          return undefined;
        },
      };
    },
  },
  {
    name: "the sweep for songs that somebody waits for",
    async prepare() {
      const listener = await makeUser();
      for (let n = 0; n < 5; n += 1) await makeSong(await makeUser());
      await readSongsJustNow();
      const asked = Date.now() - minute;
      const wish = { id: unique("wish"), user_id: listener.id, asked_at: asked, looked_at: asked };
      await insert("song_wishes", wish).run();
      return {
        act: runOften,
        state: () =>
          firstRow(`SELECT (SELECT count(*) FROM song_wishes) AS wishes,
            (SELECT count(*) FROM outbox WHERE kind = 'songs_again') AS mails`),
      };
    },
    done: { wishes: 0, mails: 1 },
  },
  {
    name: "the sweep for listeners of a new mix",
    async prepare() {
      const song = await makeOwnSong(await makeUser());
      for (let n = 0; n < 5; n += 1) await makeRating(await makeUser(), song, { score: 3 });
      await readSongsJustNow();
      await env.DB.prepare("UPDATE songs SET mix_asked_at = 1").run();
      return {
        act: runOften,
        state: () =>
          firstRow(`SELECT (SELECT count(*) FROM songs WHERE mix_asked_at IS NOT NULL) AS wishes,
            (SELECT count(*) FROM outbox WHERE kind = 'new_mix' AND subject_id = '${song.id}') AS mails`),
      };
    },
    done: { wishes: 0, mails: 1 },
  },
  {
    name: "the sweep for songs that are out",
    async prepare() {
      const listener = await makeUser();
      const song = await makeOwnSong(await makeUser());
      await makeRating(listener, song, { score: 4 });
      await insert("release_wishes", {
        user_id: listener.id,
        song_id: song.id,
        asked_at: Date.now(),
      }).run();
      await insert("releases", { song_id: song.id, url: "https://youtu.be/x", mails_at: 1 }).run();
      await readSongsJustNow();
      return {
        act: runOften,
        state: () =>
          firstRow(`SELECT (SELECT count(*) FROM release_wishes) AS wishes, mailed,
            (SELECT count(*) FROM outbox WHERE kind = 'release') AS mails FROM releases`),
      };
    },
    done: { wishes: 0, mailed: 1, mails: 1 },
  },
  {
    name: "the sweep for mails that were not queued, and the purge",
    async prepare() {
      const owner = await makeUser();
      const hourAgo = Date.now() - 60 * minute;
      await oweRating(await makeSong(owner), { notBefore: hourAgo });
      await readSongsJustNow();
      await insert("mailed_proofs", {
        id: unique("link"),
        kind: "confirmation",
        asked_by: owner.id,
        address: "never-pressed@mail.example",
        created_at: 1,
        expires_at: 2,
      }).run();
      await insert("billing_events", { id: "evt_of_long_ago", created_at: 1 }).run();
      return {
        act: runOften,
        async again(around) {
          await letTimePass();
          return runOften(around);
        },
        state: () =>
          firstRow(
            `SELECT not_before > ? AS queued,
               (SELECT count(*) FROM mailed_proofs) AS links,
               (SELECT count(*) FROM billing_events) AS events FROM outbox`,
            hourAgo,
          ),
      };
    },
    done: { queued: 1, links: 0, events: 0 },
  },
  {
    name: "the daily sync of subscriptions",
    asksOutside: true,
    async prepare(musician) {
      await makeCheckout(musician);
      return {
        async act(around) {
          await runJobs(daily, around);
          return undefined;
        },
        state: () => firstRow(record),
      };
    },
    done: { status: "active", tier: "premium" },
  },
];
